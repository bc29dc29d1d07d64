import { OdographClient, OdographError } from '@odograph/client'

const odograph = new OdographClient({
  baseUrl: process.env['ODOGRAPH_URL'] ?? 'http://localhost:8080',
  secretKey: process.env['ODOGRAPH_SECRET_KEY'] ?? '',
})

/** Exchanges a posted public token. Store the connection token: it gives access to the data of the fleet. */
export async function linked(publicToken: string) {
  const { id, token, provider } = await odograph.exchangePublicToken(publicToken)
  return { id, token, provider: provider.name }
}

/** Lists all vehicles with their groups by REST, and counts the latest locations by GraphQL. */
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

/** Requests a sync and returns its id, or null while another sync runs. */
export async function syncNow(token: string) {
  try {
    return (await odograph.connection(token).syncs.request({ days: 1 })).id
  } catch (error) {
    if (error instanceof OdographError && error.code === 'conflict') return null
    throw error
  }
}

/** Follows the event log from a stored event id. Store `event.id` after you have processed an event. */
export async function follow(after: string | undefined, signal: AbortSignal) {
  for await (const event of odograph.followEvents({ after, signal })) {
    if (event.type === 'connection.first_sync_completed') return event.id
  }
  return after
}
