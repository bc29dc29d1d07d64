import { PublicError } from '../../errors.ts'
import { isId, type Kind } from '../../ids.ts'
import { POLL_OPTION } from '../../queue/polls.ts'

/** What an input must be beyond its types. Each check names the member that is wrong. */

export const refused = (member: string, message: string): PublicError =>
  new PublicError('bad_request', message, { detail: [{ message, path: `input.${member}` }] })

const LONGEST_TEXT = 255
const MOST_ITEMS = 100
const MOST_FILTERED_IDS = 10_000

export function checkText(member: string, text: string | null | undefined): void {
  if (text != null && text.length > LONGEST_TEXT)
    throw refused(member, `\`${member}\` may have ${LONGEST_TEXT} characters at most.`)
}

export function checkTexts(member: string, texts: readonly string[] | null | undefined): void {
  if (texts == null) return
  if (texts.length > MOST_ITEMS) throw refused(member, `\`${member}\` may have ${MOST_ITEMS} items at most.`)
  if (texts.some((text) => text === '')) throw refused(member, `\`${member}\` may not hold empty text.`)
  for (const text of texts) checkText(member, text)
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const LONGEST_POLL_SECONDS = 86_400

/** The option of a connection that has every newer position of its vehicles written to the event log. */
export const POSITION_EVENTS_OPTION = 'locationEvents'

/** Free-form settings: an object of any members. The ones that mean something to the service are checked. */
export function checkedOptions(options: unknown): Record<string, unknown> {
  if (!isObject(options)) throw refused('options', '`options` must be an object.')
  const seconds = options[POLL_OPTION]
  const fits = Number.isInteger(seconds) && Number(seconds) >= 1 && Number(seconds) <= LONGEST_POLL_SECONDS
  if (seconds != null && !fits)
    throw refused(
      `options.${POLL_OPTION}`,
      `\`options.${POLL_OPTION}\` must be a whole number from 1 to ${LONGEST_POLL_SECONDS}: how often managed polling asks.`,
    )
  const events = options[POSITION_EVENTS_OPTION]
  if (events != null && typeof events !== 'boolean')
    throw refused(
      `options.${POSITION_EVENTS_OPTION}`,
      `\`options.${POSITION_EVENTS_OPTION}\` must be true or false: whether newer positions become events.`,
    )
  return { ...options }
}

const filtered = { vehicles: 'vehicle', drivers: 'driver' } as const satisfies Record<string, Kind>
const MEMBERS = ['status', 'includeIds', 'excludeIds']

/** Filters as they are stored: members that are known, and no nulls; null where nothing is filtered. */
export function checkedFilters(filters: unknown): Record<string, unknown> | null {
  if (filters === null) return null
  if (!isObject(filters)) throw refused('filters', '`filters` must be an object.')
  const kept = Object.entries(filters).flatMap(([name, filter]) => {
    const kind = Object.hasOwn(filtered, name) ? filtered[name as keyof typeof filtered] : undefined
    if (!kind) throw refused(`filters.${name}`, '`filters` may have `vehicles` and `drivers`.')
    const members = filter === null ? {} : checkedFilter(`filters.${name}`, kind, filter)
    return Object.keys(members).length === 0 ? [] : [[name, members] as const]
  })
  return kept.length === 0 ? null : Object.fromEntries(kept)
}

function checkedFilter(path: string, kind: Kind, filter: unknown): Record<string, unknown> {
  if (!isObject(filter)) throw refused(path, `\`${path}\` must be an object.`)
  const given = Object.entries(filter).filter(([, value]) => value !== null)
  for (const [name, value] of given) {
    if (!MEMBERS.includes(name))
      throw refused(`${path}.${name}`, `\`${path}\` may have \`status\`, \`includeIds\` and \`excludeIds\`.`)
    if (name !== 'status') checkIds(`${path}.${name}`, kind, value)
    else if (value !== 'active' && value !== 'inactive')
      throw refused(`${path}.status`, 'Give `active` or `inactive`.')
  }
  return Object.fromEntries(given)
}

function checkIds(path: string, kind: Kind, ids: unknown): void {
  if (!Array.isArray(ids)) throw refused(path, `\`${path}\` must be a list of ids.`)
  if (ids.length > MOST_FILTERED_IDS)
    throw refused(path, `\`${path}\` may have ${MOST_FILTERED_IDS} ids at most.`)
  if (!ids.every((id) => typeof id === 'string' && isId(kind, id)))
    throw refused(path, `\`${path}\` must hold ids of ${kind}s.`)
}

const DAY_MS = 86_400_000

/** The earliest record time that is asked for; days before now win over a moment. Null where neither is given. */
export function startOf(
  { startFrom, days }: { readonly startFrom?: number | null; readonly days?: number | null },
  now: number,
  path = '',
): number | null {
  if (days != null) {
    if (days < 0) throw refused(`${path}days`, '`days` must not be negative.')
    return Math.max(0, Math.round(now - days * DAY_MS))
  }
  if (startFrom == null) return null
  if (startFrom > now) throw refused(`${path}startFrom`, '`startFrom` must not be in the future.')
  return Math.max(0, startFrom)
}
