import { PublicError } from '../../domain/errors.ts'
import type { EventType } from '../../domain/models/define-model.ts'
import { type RecordEventName, recordEvents } from '../../domain/record-models.ts'

const modelEvents: Readonly<Record<string, EventType>> = Object.fromEntries(
  recordEvents.map(({ name, type }) => [name, type]),
)

/**
 * Event types by the name that the log stores. The `delivery.*` types of the specification are absent, because nothing
 * in this service causes them.
 */
export const eventTypes = {
  'connection.created': { description: 'A connection was created.' },
  'connection.completed': { description: 'A fleet completed its connection.' },
  'connection.updated': {
    description:
      'A setting or the account of a connection changed, it was archived, or its deletion was cancelled.',
  },
  'connection.first_sync_completed': { description: 'The first sync of a connection finished.' },
  'connection.disconnected': {
    description: 'The provider refused the credentials of a connection, or a caller disconnected it.',
  },
  'connection.reconnected': { description: 'A connection is connected again.' },
  'connection.pending_deletion': {
    description: 'A connection was marked for deletion, which follows after a grace period of one day.',
  },
  'connection.deleted': { description: 'The data of a connection was deleted.' },
  'sync.requested': { description: 'A sync was requested.' },
  'sync.started': { description: 'A sync started.' },
  'sync.completed': { description: 'A sync finished.' },
  'sync.failed': { description: 'A sync failed, or was cancelled.' },
  ...modelEvents,
  'issue.reported': { description: 'A sync or a poll could not read some data of a connection.' },
  'issue.resolved': { description: 'An issue no longer occurs, or was marked as resolved.' },
  'unsupported_provider.requested': {
    description: 'A fleet requested a provider that is not supported, and left an e-mail address.',
  },
  'webhook_endpoint.disabled': {
    description: 'An endpoint was disabled: it responded with 410, or failed for too long.',
    optIn: true,
  },
} as const satisfies Readonly<Record<string, EventType>>

/** The log keeps location events only for a day, because they are many and newer ones replace them. */
export const SHORT_LIVED = 'vehicle.location_updated' satisfies RecordEventName
export const SHORT_LIVED_MS = 24 * 3_600_000

/** Name by which a client requests all types that are not opt-in. */
export const ALL_TYPES = '*'

const types = new Map<string, EventType>(Object.entries(eventTypes))

const byName = new Map<string, string>(
  [...types].flatMap(([stored, { aliases = [] }]) => [stored, ...aliases].map((name) => [name, stored])),
)

/** All names by which clients can request types, aliases included. */
export const eventTypeNames: readonly string[] = [...byName.keys()]

/** Returns the stored name of a type; null for a type that this version does not know. */
export const storedType = (name: string): string | null => byName.get(name) ?? null

/** Types that a client receives if it requests none: all that are not opt-in. */
const defaultTypes: readonly string[] = [...types].filter(([, { optIn }]) => !optIn).map(([stored]) => stored)

/** Throws if a requested type does not exist. `path` is the request member that the error names. */
export function checkTypes(requested: readonly string[] | null | undefined, path = 'types'): void {
  const unknown = requested?.find((name) => name !== ALL_TYPES && !byName.has(name))
  if (unknown === undefined) return
  const message = `There is no event type \`${unknown.slice(0, 100)}\`. Valid types: ${eventTypeNames.join(', ')}, and ${ALL_TYPES} for all types that are not opt-in.`
  throw new PublicError('bad_request', message, { detail: [{ message, path }] })
}

/** Returns the stored names of the requested types. Null requests the default types. */
export function storedTypes(requested: readonly string[] | null | undefined): readonly string[] {
  if (requested == null) return defaultTypes
  return [
    ...new Set(requested.flatMap((name) => (name === ALL_TYPES ? defaultTypes : (storedType(name) ?? [])))),
  ]
}

/** Returns the requested name of a stored type; null if the type was not requested. */
export function nameFor(requested: readonly string[] | null | undefined, stored: string): string | null {
  if (requested == null) return defaultTypes.includes(stored) ? stored : null
  if (requested.includes(stored)) return stored
  const alias = types.get(stored)?.aliases?.find((name) => requested.includes(name))
  return alias ?? (requested.includes(ALL_TYPES) && defaultTypes.includes(stored) ? stored : null)
}
