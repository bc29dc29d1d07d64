import type { Caller } from './caller.ts'

/** Requests of callers for a fleet, before its deletion and again after it. */

interface GraphqlRequest {
  readonly query: string
  readonly variables?: Readonly<Record<string, unknown>>
}

/** A request with its response. */
export interface AccessRequest {
  readonly who: string
  ask(): Promise<string>
}

const LISTS = [
  'vehicles',
  'drivers',
  'trailers',
  'groups',
  'devices',
  'trips',
  'hosLogs',
  'hosDailyLogs',
  'safetyEvents',
  'faultCodeEvents',
  'vehicleLocations',
  'trailerLocations',
  'hosAvailableTimes',
] as const

const PATHS = [
  '/connections/current',
  '/vehicles?limit=2&raw=true',
  '/drivers?limit=2&raw=true',
  '/trips?limit=2&raw=true&expand=vehicle,driver',
  '/safety/events?limit=2&expand=vehicle',
  '/vehicles/locations?expand=vehicle',
  '/syncs',
] as const

const NODE = `... on Vehicle { name vin sourceId licensePlate { number } latestLocation { locatedAt } trips(first: 2) { nodes { id } } }
  ... on Driver { firstName lastName email phone }`

interface Page {
  readonly nodes: readonly { readonly id?: string }[]
  readonly pageInfo: { readonly endCursor: string | null }
}

/** Callers with access to the fleet, by credential. */
export interface Callers {
  readonly key: Caller
  readonly token: Caller
  readonly session: Caller
  readonly connectionId: string
}

/** Sends each request once. Requests after the deletion use the received ids and cursors. */
export async function sendAll({ key, token, session, connectionId }: Callers): Promise<AccessRequest[]> {
  const requests: AccessRequest[] = []
  const add = (who: string, caller: Caller, { query, variables }: GraphqlRequest) =>
    requests.push({ who, ask: () => caller.graphqlText(query, variables) })
  for (const list of LISTS) {
    const page = `{ pageInfo { endCursor } nodes { ${list.endsWith('Locations') ? 'locatedAt' : list === 'hosAvailableTimes' ? 'currentStatus' : 'id'} } }`
    const query = `query ($after: String) { ${list}(first: 1, after: $after) ${page} }`
    const { [list]: first } = await token.graphql<Record<string, Page>>(query)
    const variables = { after: first?.pageInfo.endCursor ?? null }
    add(`${list} after its cursor`, token, { query, variables })
    add(`${list} from its start`, token, { query })
    const ids = first?.nodes.flatMap(({ id }) => id ?? []) ?? []
    if (ids.length === 0) continue
    const node = { query: `query ($ids: [ID!]!) { nodes(ids: $ids) { id ${NODE} } }`, variables: { ids } }
    for (const [who, caller] of Object.entries({ key, token, session }))
      add(`nodes with ${who}`, caller, node)
  }
  const { events } = await key.graphql<{ events: { nodes: { id: string }[] } }>(
    `{ events(first: 1, connectionIds: ["${connectionId}"]) { nodes { id } } }`,
  )
  const after = events.nodes[0]?.id
  add('events after one', key, {
    query: 'query ($after: ID) { events(first: 1000, after: $after) { nodes { id type detail } } }',
    variables: { after },
  })
  add('deliveries', key, {
    query: `{ webhookEndpoints { nodes { deliveries(first: 1000) {
      nodes { id event { detail } attempts { response { body } } } } } } }`,
  })
  add('its connection', key, {
    query: `{ connection(id: "${connectionId}") { status agreements { id ipAddress userAgent } lastSync { id }
      options account { user { email } } vehicles { nodes { id } } } syncs { nodes { id } } issues(connectionId: "${connectionId}") { nodes { id } } }`,
  })
  for (const path of PATHS) requests.push({ who: path, ask: () => token.restText(path) })
  for (const one of requests) await one.ask()
  return requests
}
