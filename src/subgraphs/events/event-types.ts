import { PublicError } from '../../domain/errors.ts'
import { eventTypes } from '../../domain/event-catalog.ts'
import type { EventType } from '../../domain/models/define-model.ts'
import type { RecordEventName } from '../../domain/record-models.ts'

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
