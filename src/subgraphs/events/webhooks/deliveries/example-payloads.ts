/** Example event payloads with fictitious records in the format of `/tsp/v1`, for tests of a receiver. */

const ULID = '01J8ZQ4N5R8X2V6T3W1Y7K9M0P'
const AT = '2026-01-31T12:00:00.000Z'

const metadata = { addedAt: AT, modifiedAt: AT }
const sourced = { sourceId: '281474976710656', provider: 'sandbox' }
const point = { longitude: -97.7431, latitude: 30.2672 }

/** Connection as it appears in events of its records. */
const connection = {
  id: `conn_${ULID}`,
  provider: { code: 'sandbox', name: 'Sandbox' },
  externalId: 'customer-17',
  tags: ['example'],
}

const fullConnection = {
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

/** Request of a fleet for an unsupported provider; it has no connection. */
const unsupportedProvider = {
  provider: 'Verizon Connect',
  contactEmail: 'dispatch@acme-freight.example',
  dotNumber: '1234567',
  externalId: connection.externalId,
  tags: connection.tags,
}

type Detail = Readonly<Record<string, unknown>>

/** Details by the event type, or by the part of the type before the dot. The full type takes precedence. */
const details: Readonly<Record<string, Detail>> = {
  'connection.completed': {
    connection: fullConnection,
    metadata: { externalId: connection.externalId, tags: connection.tags },
  },
  'connection.first_sync_completed': { connection: fullConnection, sync },
  'vehicle.location_updated': { connection, location },
  connection: { connection: fullConnection },
  sync: { connection, sync },
  vehicle: { connection, vehicle },
  driver: { connection, driver },
  safety: { connection, safetyEvent },
  issue: { connection, issue },
  unsupported_provider: unsupportedProvider,
  webhook_endpoint: { endpoint },
}

/** Returns the example detail of a stored event type. */
export function exampleDetail(storedType: string): Detail {
  const [noun = ''] = storedType.split('.')
  const detail = details[storedType] ?? details[noun]
  if (!detail) throw new Error(`The event type ${storedType} has no example`)
  return detail
}
