import { isObject } from '../../platform/is-object.ts'
import { invalidMember } from '../../domain/errors.ts'
import { isId, type Kind } from '../../domain/ids.ts'
import { POLL_OPTION } from '../../queue/poll-jobs.ts'

// Validation of inputs beyond their types. An error contains the path of the invalid member.

const MAX_TEXT_LENGTH = 255
const MAX_ITEMS = 100
const MAX_FILTERED_IDS = 10_000

export function validateText(member: string, text: string | null | undefined): void {
  if (text != null && text.length > MAX_TEXT_LENGTH)
    throw invalidMember(member, `\`${member}\` may have ${MAX_TEXT_LENGTH} characters at most.`)
}

export function validateTexts(member: string, texts: readonly string[] | null | undefined): void {
  if (texts == null) return
  if (texts.length > MAX_ITEMS)
    throw invalidMember(member, `\`${member}\` may have ${MAX_ITEMS} items at most.`)
  if (texts.some((text) => text === ''))
    throw invalidMember(member, `\`${member}\` must not contain empty text.`)
  for (const text of texts) validateText(member, text)
}

const MAX_POLL_SECONDS = 86_400

/** Connection option: whether each newer vehicle position becomes an event. */
export const POSITION_EVENTS_OPTION = 'locationEvents'

/**
 * Validates the options of a connection: an object. Checks the members that the service uses, and permits any others.
 */
export function validateOptions(options: unknown): Record<string, unknown> {
  if (!isObject(options)) throw invalidMember('options', '`options` must be an object.')
  const seconds = options[POLL_OPTION]
  const isValid = Number.isInteger(seconds) && Number(seconds) >= 1 && Number(seconds) <= MAX_POLL_SECONDS
  if (seconds != null && !isValid)
    throw invalidMember(
      `options.${POLL_OPTION}`,
      `\`options.${POLL_OPTION}\` must be a whole number from 1 to ${MAX_POLL_SECONDS}: the interval of managed polling in seconds.`,
    )
  const events = options[POSITION_EVENTS_OPTION]
  if (events != null && typeof events !== 'boolean')
    throw invalidMember(
      `options.${POSITION_EVENTS_OPTION}`,
      `\`options.${POSITION_EVENTS_OPTION}\` must be true or false: whether each newer position becomes an event.`,
    )
  return { ...options }
}

const filteredKinds = { vehicles: 'vehicle', drivers: 'driver' } as const satisfies Record<string, Kind>
const FILTER_MEMBERS = ['status', 'includeIds', 'excludeIds']

/** Validates filters and removes nulls. Returns null if nothing is filtered. */
export function validateFilters(filters: unknown): Record<string, unknown> | null {
  if (filters === null) return null
  if (!isObject(filters)) throw invalidMember('filters', '`filters` must be an object.')
  const kept = Object.entries(filters).flatMap(([name, filter]) => {
    const kind = Object.hasOwn(filteredKinds, name)
      ? filteredKinds[name as keyof typeof filteredKinds]
      : undefined
    if (!kind) throw invalidMember(`filters.${name}`, '`filters` can contain only `vehicles` and `drivers`.')
    const members = filter === null ? {} : validatedFilter(`filters.${name}`, kind, filter)
    return Object.keys(members).length === 0 ? [] : [[name, members] as const]
  })
  return kept.length === 0 ? null : Object.fromEntries(kept)
}

function validatedFilter(path: string, kind: Kind, filter: unknown): Record<string, unknown> {
  if (!isObject(filter)) throw invalidMember(path, `\`${path}\` must be an object.`)
  const given = Object.entries(filter).filter(([, value]) => value !== null)
  for (const [name, value] of given) {
    if (!FILTER_MEMBERS.includes(name))
      throw invalidMember(
        `${path}.${name}`,
        `\`${path}\` can contain only \`status\`, \`includeIds\` and \`excludeIds\`.`,
      )
    if (name !== 'status') checkIds(`${path}.${name}`, kind, value)
    else if (value !== 'active' && value !== 'inactive')
      throw invalidMember(`${path}.status`, `\`${path}.status\` must be \`active\` or \`inactive\`.`)
  }
  return Object.fromEntries(given)
}

function checkIds(path: string, kind: Kind, ids: unknown): void {
  if (!Array.isArray(ids)) throw invalidMember(path, `\`${path}\` must be a list of ids.`)
  if (ids.length > MAX_FILTERED_IDS)
    throw invalidMember(path, `\`${path}\` may have ${MAX_FILTERED_IDS} ids at most.`)
  if (!ids.every((id) => typeof id === 'string' && isId(kind, id)))
    throw invalidMember(path, `\`${path}\` must contain only ids of ${kind}s.`)
}

const DAY_MS = 86_400_000

/**
 * Returns the requested earliest record time. `days` before now takes precedence over `startFrom`. Null if neither is
 * given.
 */
export function backfillStart(
  { startFrom, days }: { readonly startFrom?: number | null; readonly days?: number | null },
  now: number,
  path = '',
): number | null {
  if (days != null) {
    if (days < 0) throw invalidMember(`${path}days`, '`days` must not be negative.')
    return Math.max(0, Math.round(now - days * DAY_MS))
  }
  if (startFrom == null) return null
  if (startFrom > now) throw invalidMember(`${path}startFrom`, '`startFrom` must not be in the future.')
  return Math.max(0, startFrom)
}
