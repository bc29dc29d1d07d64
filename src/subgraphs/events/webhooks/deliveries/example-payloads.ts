import { exampleId } from '../../../../domain/models/define-model.ts'
import { recordEvents } from '../../../../domain/record-models.ts'

/** Example event payloads with fictitious records in the format of `/tsp/v1`, for tests of a receiver. */

const AT = '2026-01-31T12:00:00.000Z'
const SOURCE_ID = '281474976710656'

/** Connection as it appears in events of its records. */
const connection = {
  id: exampleId('conn'),
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
  sourceId: SOURCE_ID,
  linkUrl: `https://link.example.com/connection/${exampleId('conn')}`,
  createdAt: AT,
  updatedAt: AT,
}

const sync = {
  id: exampleId('sync'),
  status: 'completed',
  requestedAt: AT,
  completedAt: AT,
  progress: 100,
  attempts: 1,
  providerRequests: [],
  issues: [],
}

const issue = {
  id: exampleId('isu'),
  status: 'ongoing',
  connection: connection.id,
  error: { code: 'permission_missing', message: 'The account may not read drivers.' },
  firstReportedAt: AT,
  lastReportedAt: AT,
}

const purchaseCheck = {
  id: exampleId('pchk'),
  connection: connection.id,
  idempotencyKey: 'authorization-8812',
  vehicle: exampleId('vcl'),
  cardId: 'card-17',
  purchasedAt: AT,
  checkedAt: AT,
  phase: 'authorization',
  merchant: {
    name: 'Lone Star Fuel',
    categoryCode: '5542',
    coordinates: { longitude: -97.7431, latitude: 30.2672 },
  },
  amount: { value: 125, currency: 'USD' },
  decision: 'decline',
  stage: 'v1',
  wouldBe: { v1: 'decline', v2: 'decline', v3: 'decline' },
  reasons: [
    {
      rule: 'near_merchant',
      outcome: 'fail',
      action: 'decline',
      measured: 290_000,
      limit: 1111,
      margin: -288_889,
      unit: 'meters',
      text: 'The vehicle was at least 290000 m from the merchant; 1111 m were possible.',
    },
  ],
  evidence: {
    position: { longitude: -96.797, latitude: 32.7767 },
    locatedAt: '2026-01-31T11:59:40.000Z',
    receivedAt: '2026-01-31T11:59:42.000Z',
    ageSeconds: 20,
    distanceMeters: 290_050,
    merchantPlace: { longitude: -97.7431, latitude: 30.2672 },
    merchantAccuracyMeters: 50,
    merchantPlaceSource: 'coordinates',
    reachableMeters: 611,
  },
  policyVersion: 1,
  milliseconds: 4.2,
}

const endpoint = {
  id: exampleId('whe'),
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
  connection: { connection: fullConnection },
  sync: { connection, sync },
  issue: { connection, issue },
  purchase: { connection, purchaseCheck },
  unsupported_provider: unsupportedProvider,
  webhook_endpoint: { endpoint },
}

const recordDetails: Readonly<Record<string, Detail>> = Object.fromEntries(
  recordEvents.map(({ name, model }) => [
    name,
    { connection, [model.events.member]: recordOf(model, name.endsWith('.removed')) },
  ]),
)

/** Latest states have neither ids nor time stamps. */
function recordOf(
  { id, events: { example } }: (typeof recordEvents)[number]['model'],
  isRemoved: boolean,
): Detail {
  if (!id) return { provider: 'sandbox', ...example }
  const { metadata, ...members } = example
  return {
    id: exampleId(id.prefix),
    sourceId: SOURCE_ID,
    provider: 'sandbox',
    ...members,
    metadata: { addedAt: AT, modifiedAt: AT, ...metadata, ...(isRemoved ? removedMetadata(metadata) : {}) },
  }
}

/** Only vehicles and drivers have a visibility. */
function removedMetadata(metadata: object | undefined): Detail {
  return { deletedAt: AT, ...(metadata ? { visibility: 'deleted' } : {}) }
}

/** Returns the example detail of a stored event type. */
export function exampleDetail(storedType: string): Detail {
  const [noun = ''] = storedType.split('.')
  const detail = recordDetails[storedType] ?? details[storedType] ?? details[noun]
  if (!detail) throw new Error(`The event type ${storedType} has no example`)
  return detail
}
