import { PublicError } from '../../domain/errors.ts'

interface EventType {
  readonly description: string
  /** Other names of it: who asks for it by one gets it by that. */
  readonly aliases?: readonly string[]
  /** It comes to those alone who name it: neither by default nor by `*`. */
  readonly optIn?: boolean
}

/**
 * Every type of event, by the specification's name, which is the one that the log stores (interface 6, gaps 5.1).
 * `delivery.*` are not among them: nothing in this service causes them.
 */
export const eventTypes = {
  'connection.created': { description: 'A connection was made.' },
  'connection.completed': { description: 'A fleet completed its connection.' },
  'connection.updated': { description: 'The company, options, tags, filters or sync mode changed.' },
  'connection.first_sync_completed': { description: 'The first sync of a connection finished.' },
  'connection.disconnected': { description: 'Its credentials are no longer valid, or it was disconnected.' },
  'connection.reconnected': { description: 'It is connected again.' },
  'connection.pending_deletion': { description: 'It is to be deleted, after a day of grace.' },
  'connection.deleted': { description: 'Its data is gone.' },
  'sync.requested': { description: 'A sync was asked for.' },
  'sync.started': { description: 'A sync began.' },
  'sync.completed': { description: 'A sync finished.' },
  'sync.failed': { description: 'A sync failed, or was cancelled.' },
  'vehicle.added': { description: 'A vehicle appeared.' },
  'vehicle.modified': { description: 'A vehicle says something else.' },
  'vehicle.removed': { description: 'The provider no longer lists a vehicle.' },
  'vehicle.location_updated': { description: 'A newer position of a vehicle is known.', optIn: true },
  'driver.added': { description: 'A driver appeared.' },
  'driver.modified': { description: 'A driver says something else.' },
  'driver.removed': { description: 'The provider no longer lists a driver.' },
  'safety.added': { description: 'A safety event was reported.', aliases: ['safety_event.added'] },
  'safety.modified': {
    description: 'A safety event says something else.',
    aliases: ['safety_event.modified'],
  },
  'issue.reported': { description: 'A sync or a poll met something that it cannot read.' },
  'issue.resolved': { description: 'An issue is no longer met, or was marked as resolved.' },
  'unsupported_provider.requested': {
    description: 'A fleet would connect a provider that is not supported yet, and left an address.',
  },
  'webhook_endpoint.disabled': {
    description: 'An endpoint was disabled: it answered 410, or failed for too long.',
    optIn: true,
  },
} as const satisfies Readonly<Record<string, EventType>>

export type EventTypeName = keyof typeof eventTypes

/** Positions are many, and worth little once there are newer ones: the log keeps them for a day only. */
export const SHORT_LIVED = 'vehicle.location_updated' satisfies EventTypeName
export const SHORT_LIVED_MS = 24 * 3_600_000

/** Every type that is not for those alone who name it. */
export const EVERY = '*'

const types = new Map<string, EventType>(Object.entries(eventTypes))

const byName = new Map<string, string>(
  [...types].flatMap(([stored, { aliases = [] }]) => [stored, ...aliases].map((name) => [name, stored])),
)

/** Every name that a type can be asked for by. */
export const eventTypeNames: readonly string[] = [...byName.keys()]

/** Those that everybody gets who names none. */
const usual: readonly string[] = [...types].filter(([, { optIn }]) => !optIn).map(([stored]) => stored)

/** Refuses a type that there is not, `path` saying where it was asked for. */
export function checkTypes(asked: readonly string[] | null | undefined, path = 'types'): void {
  const unknown = asked?.find((name) => name !== EVERY && !byName.has(name))
  if (unknown === undefined) return
  const message = `There is no event type \`${unknown.slice(0, 100)}\`. There are ${eventTypeNames.join(', ')}, and ${EVERY} for all but the rare ones that must be named.`
  throw new PublicError('bad_request', message, { detail: [{ message, path }] })
}

/** What the log stores for the types that are asked for; null is every type, as somebody who names none gets them. */
export function storedTypes(asked: readonly string[] | null | undefined): readonly string[] {
  if (asked == null) return usual
  return [...new Set(asked.flatMap((name) => (name === EVERY ? usual : (byName.get(name) ?? []))))]
}

/** By which name whoever asked for types wants an event of a stored type; null where it was not asked for. */
export function nameFor(asked: readonly string[] | null | undefined, stored: string): string | null {
  if (asked == null) return usual.includes(stored) ? stored : null
  if (asked.includes(stored)) return stored
  const alias = types.get(stored)?.aliases?.find((name) => asked.includes(name))
  return alias ?? (asked.includes(EVERY) && usual.includes(stored) ? stored : null)
}
