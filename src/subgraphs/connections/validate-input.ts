import { isObject } from '../../providers/mapping/is-object.ts'
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
  if (texts.some((text) => text === '')) throw invalidMember(member, `\`${member}\` may not hold empty text.`)
  for (const text of texts) validateText(member, text)
}

const MAX_POLL_SECONDS = 86_400

/** Connection option that appends every newer vehicle position to the event log. */
export const POSITION_EVENTS_OPTION = 'locationEvents'

/** Validates settings: an object of any members. Only the options of the service are checked. */
export function validateOptions(options: unknown): Record<string, unknown> {
  if (!isObject(options)) throw invalidMember('options', '`options` must be an object.')
  const seconds = options[POLL_OPTION]
  const fits = Number.isInteger(seconds) && Number(seconds) >= 1 && Number(seconds) <= MAX_POLL_SECONDS
  if (seconds != null && !fits)
    throw invalidMember(
      `options.${POLL_OPTION}`,
      `\`options.${POLL_OPTION}\` must be a whole number from 1 to ${MAX_POLL_SECONDS}: the interval of managed polling in seconds.`,
    )
  const events = options[POSITION_EVENTS_OPTION]
  if (events != null && typeof events !== 'boolean')
    throw invalidMember(
      `options.${POSITION_EVENTS_OPTION}`,
      `\`options.${POSITION_EVENTS_OPTION}\` must be true or false: whether newer positions become events.`,
    )
  return { ...options }
}

const filtered = { vehicles: 'vehicle', drivers: 'driver' } as const satisfies Record<string, Kind>
const MEMBERS = ['status', 'includeIds', 'excludeIds']

/** Validates filters and removes nulls. Returns null if nothing is filtered. */
export function validateFilters(filters: unknown): Record<string, unknown> | null {
  if (filters === null) return null
  if (!isObject(filters)) throw invalidMember('filters', '`filters` must be an object.')
  const kept = Object.entries(filters).flatMap(([name, filter]) => {
    const kind = Object.hasOwn(filtered, name) ? filtered[name as keyof typeof filtered] : undefined
    if (!kind) throw invalidMember(`filters.${name}`, '`filters` may have `vehicles` and `drivers`.')
    const members = filter === null ? {} : validatedFilter(`filters.${name}`, kind, filter)
    return Object.keys(members).length === 0 ? [] : [[name, members] as const]
  })
  return kept.length === 0 ? null : Object.fromEntries(kept)
}

function validatedFilter(path: string, kind: Kind, filter: unknown): Record<string, unknown> {
  if (!isObject(filter)) throw invalidMember(path, `\`${path}\` must be an object.`)
  const given = Object.entries(filter).filter(([, value]) => value !== null)
  for (const [name, value] of given) {
    if (!MEMBERS.includes(name))
      throw invalidMember(
        `${path}.${name}`,
        `\`${path}\` may have \`status\`, \`includeIds\` and \`excludeIds\`.`,
      )
    if (name !== 'status') checkIds(`${path}.${name}`, kind, value)
    else if (value !== 'active' && value !== 'inactive')
      throw invalidMember(`${path}.status`, 'Give `active` or `inactive`.')
  }
  return Object.fromEntries(given)
}

function checkIds(path: string, kind: Kind, ids: unknown): void {
  if (!Array.isArray(ids)) throw invalidMember(path, `\`${path}\` must be a list of ids.`)
  if (ids.length > MAX_FILTERED_IDS)
    throw invalidMember(path, `\`${path}\` may have ${MAX_FILTERED_IDS} ids at most.`)
  if (!ids.every((id) => typeof id === 'string' && isId(kind, id)))
    throw invalidMember(path, `\`${path}\` must hold ids of ${kind}s.`)
}

const DAY_MS = 86_400_000

/**
 * Returns the requested earliest record time; `days` takes precedence over `startFrom`. Null if neither is
 * set.
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
