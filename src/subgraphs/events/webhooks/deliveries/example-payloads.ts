/** What events tell, in the words of `/tsp/v1`, of records that there are not: for tests of a receiver. */

const ULID = '01J8ZQ4N5R8X2V6T3W1Y7K9M0P'
const AT = '2026-01-31T12:00:00.000Z'

const metadata = { addedAt: AT, modifiedAt: AT }
const sourced = { sourceId: '281474976710656', provider: 'sandbox' }
const point = { longitude: -97.7431, latitude: 30.2672 }

/** As events of its records show a connection. */
const connection = {
  id: `conn_${ULID}`,
  provider: { code: 'sandbox', name: 'Sandbox' },
  externalId: 'customer-17',
  tags: ['example'],
}

const wholeConnection = {
  ...connection,
  status: 'connected',
  syncMode: 'automatic',
  company: { name: 'Acme Freight', dotNumbers: ['1234567'] },
  account: { name: 'Acme Freight', dotNumbers: ['1234567'] },
  token: `con_tkn_${'0'.repeat(32)}`,
  options: {},
  sourceId: '281474976710656',
  linkUrl: `https://link.example.com/connection/conn_${ULID}`,
  createdAt: AT,
  updatedAt: AT,
}

const sync = {
  id: `sync_${ULID}`,
  status: 'completed',
  requestedAt: AT,
  completedAt: AT,
  progress: 100,
  attempts: 1,
  providerRequests: [],
  issues: [],
}

const vehicle = {
  id: `vcl_${ULID}`,
  ...sourced,
  status: 'active',
  vin: '1HGCM82633A004352',
  name: 'Truck 17',
  make: 'Volvo',
  model: 'VNL',
  year: 2024,
  metadata: { ...metadata, visibility: 'visible' },
  groups: [],
  devices: [],
}

const driver = {
  id: `drv_${ULID}`,
  ...sourced,
  status: 'active',
  firstName: 'Grace',
  lastName: 'Hopper',
  metadata: { ...metadata, visibility: 'visible' },
  groups: [],
}

const safetyEvent = {
  id: `sft_evt_${ULID}`,
  ...sourced,
  type: 'harsh_brake',
  vehicle: vehicle.id,
  driver: driver.id,
  startedAt: AT,
  startLocation: point,
  stats: { maximumSpeed: 88.5 },
  metadata,
}

const location = {
  provider: 'sandbox',
  vehicle: vehicle.id,
  driver: driver.id,
  locatedAt: AT,
  location: point,
  heading: 90,
  speed: 88.5,
}

const issue = {
  id: `isu_${ULID}`,
  status: 'ongoing',
  connection: connection.id,
  error: { code: 'permission_missing', message: 'The account may not read drivers.' },
  firstReportedAt: AT,
  lastReportedAt: AT,
}

const endpoint = {
  id: `whe_${ULID}`,
  url: 'https://receiver.example.com/webhooks',
  types: ['*'],
  disabledReason: 'failing',
  disabledAt: AT,
}

/** What a fleet has asked for that has no connection. */
const wanted = {
  provider: 'Verizon Connect',
  contactEmail: 'dispatch@acme-freight.example',
  dotNumber: '1234567',
  externalId: connection.externalId,
  tags: connection.tags,
}

type Detail = Readonly<Record<string, unknown>>

/** By what stands before the dot of a type; what a single type has of its own comes first. */
const details: Readonly<Record<string, Detail>> = {
  'connection.completed': {
    connection: wholeConnection,
    metadata: { externalId: connection.externalId, tags: connection.tags },
  },
  'connection.first_sync_completed': { connection: wholeConnection, sync },
  'vehicle.location_updated': { connection, location },
  connection: { connection: wholeConnection },
  sync: { connection, sync },
  vehicle: { connection, vehicle },
  driver: { connection, driver },
  safety: { connection, safetyEvent },
  issue: { connection, issue },
  unsupported_provider: wanted,
  webhook_endpoint: { endpoint },
}

/** The detail of an example of a type, which is named as the log stores it. */
export function exampleDetail(storedType: string): Detail {
  const [noun = ''] = storedType.split('.')
  const detail = details[storedType] ?? details[noun]
  if (!detail) throw new Error(`there is no example of ${storedType}`)
  return detail
}
