import type { EventType } from './models/define-model.ts'
import { recordEvents } from './record-models.ts'

/** Type of events in the event log, with the shape of their detail. */
interface CatalogedEvent extends EventType {
  /**
   * Members of the detail, with their types in the notation of GraphQL. A record is named by its GraphQL type; its
   * references are ids. The JSON Schemas of events and the types of the client package follow from it.
   */
  readonly detail: Readonly<Record<string, string>>
}

const connection = { connection: 'Connection!' }
const sync = { connection: 'ConnectionReference!', sync: 'Sync!' }
const purchase = { connection: 'ConnectionReference!', purchaseCheck: 'PurchaseCheck!' }
const issue = { connection: 'ConnectionReference!', issue: 'Issue!' }

const modelEvents: Readonly<Record<string, CatalogedEvent>> = Object.fromEntries(
  recordEvents.map(({ name, type, model: { node, types = [], events } }) => {
    const record = typeof node?.typeName === 'string' ? node.typeName : types[0]
    return [name, { ...type, detail: { connection: 'ConnectionReference!', [events.member]: `${record}!` } }]
  }),
)

/**
 * Event types by the name that the log stores. The `delivery.*` types of the specification are absent, because nothing
 * in this service causes them.
 */
export const eventTypes = {
  'connection.created': { description: 'A connection was created.', detail: connection },
  'connection.completed': {
    description: 'A fleet completed its connection.',
    detail: { ...connection, metadata: 'LinkMetadata!' },
  },
  'connection.updated': {
    description:
      'A setting or the account of a connection changed, it was archived, or its deletion was cancelled.',
    detail: connection,
  },
  'connection.first_sync_completed': {
    description: 'The first sync of a connection finished.',
    detail: { ...connection, sync: 'Sync!' },
  },
  'connection.disconnected': {
    description: 'The provider refused the credentials of a connection, or a caller disconnected it.',
    detail: connection,
  },
  'connection.reconnected': { description: 'A connection is connected again.', detail: connection },
  'connection.pending_deletion': {
    description: 'A connection was marked for deletion, which follows after a grace period of one day.',
    detail: connection,
  },
  'connection.deleted': { description: 'The data of a connection was deleted.', detail: connection },
  'sync.requested': { description: 'A sync was requested.', detail: sync },
  'sync.started': { description: 'A sync started.', detail: sync },
  'sync.completed': { description: 'A sync finished.', detail: sync },
  'sync.failed': { description: 'A sync failed, or was cancelled.', detail: sync },
  ...modelEvents,
  'issue.reported': {
    description: 'A sync or a poll could not read some data of a connection.',
    detail: issue,
  },
  'issue.resolved': {
    description: 'An issue no longer occurs, or was marked as resolved.',
    detail: issue,
  },
  'unsupported_provider.requested': {
    description: 'A fleet requested a provider that is not supported, and left an e-mail address.',
    detail: {
      provider: 'String!',
      contactEmail: 'String!',
      dotNumber: 'String',
      externalId: 'String',
      tags: '[String!]',
    },
  },
  'purchase.checked': { description: 'A fuel purchase was checked.', optIn: true, detail: purchase },
  'purchase.declined': { description: 'The check of a fuel purchase declined it.', detail: purchase },
  'purchase.flagged': {
    description: 'A rule failed that flags a fuel purchase, asks for confirmation or declines.',
    detail: purchase,
  },
  'purchase.reconciled': {
    description: 'The liters of a captured fuel purchase were compared with the fuel level.',
    detail: purchase,
  },
  'webhook_endpoint.disabled': {
    description: 'An endpoint was disabled: it responded with 410, or failed for too long.',
    optIn: true,
    detail: { endpoint: 'DisabledEndpoint!' },
  },
} as const satisfies Readonly<Record<string, CatalogedEvent>>
