import { OdographClient, OdographError } from '@odograph/client'

const odograph = new OdographClient({
  baseUrl: process.env['ODOGRAPH_URL'] ?? 'http://localhost:8080',
  secretKey: process.env['ODOGRAPH_SECRET_KEY'] ?? '',
})

/** Your page has posted the public token. Keep the connection's token: it opens this fleet's data. */
export async function linked(publicToken: string) {
  const { id, token, provider } = await odograph.exchangePublicToken(publicToken)
  return { id, token, provider: provider.name }
}

/** Every vehicle with its groups, page by page, and what GraphQL says of where they are. */
export async function fleetOf(token: string) {
  const fleet = odograph.connection(token)
  const vehicles = []
  for await (const { id, name, groups } of fleet.vehicles.list({ expand: ['groups'], limit: 100 }))
    vehicles.push({ id, name, groups: groups?.length ?? 0 })
  const { vehicleLocations } = await fleet.graphql<{
    vehicleLocations: { nodes: { vehicle: { id: string }; speed: number | null }[] }
  }>('{ vehicleLocations(first: 100) { nodes { vehicle { id } speed } } }')
  return { vehicles, positions: vehicleLocations.nodes.length }
}

/** Starts a sync, unless one runs, and gives the id of the one that does. */
export async function syncNow(token: string) {
  try {
    return (await odograph.connection(token).syncs.request({ days: 1 })).id
  } catch (error) {
    if (error instanceof OdographError && error.code === 'conflict') return null
    throw error
  }
}

/** The log from where you left off, without an end: keep `event.id` once an event has been worked on. */
export async function follow(after: string | undefined, signal: AbortSignal) {
  for await (const event of odograph.followEvents({ after, signal })) {
    if (event.type === 'connection.first_sync_completed') return event.id
  }
  return after
}
