import type { Organization } from './organization.ts'
import type { Switches } from './behaviours.ts'

/** A request of somebody who may make it. */
export interface Asked {
  readonly organization: Organization
  readonly switches: Switches
  readonly query: URLSearchParams
  /** What stands in the path where the route says `{id}`. */
  readonly id: string
  readonly body: string
  /** Where the fake itself is: files are served there. */
  readonly origin: string
}

/** An answer other than 200: every error of Samsara's is a message and an id of the request. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message)
  }
}

export const badRequest = (message: string) => new Refusal(400, message)
export const notFound = () => new Refusal(404, 'Object not found.')

/** A list may be given with commas, by repetition, or both. */
export const listed = (query: URLSearchParams, name: string): string[] =>
  query
    .getAll(name)
    .flatMap((value) => value.split(','))
    .filter((value) => value !== '')

export function required(query: URLSearchParams, name: string): string {
  const value = query.get(name)
  if (!value) throw badRequest(`Missing required parameter: ${name}.`)
  return value
}

/** A time in RFC 3339; null where it is not given. */
export function timeIn(query: URLSearchParams, name: string): number | null {
  const value = query.get(name)
  if (!value) return null
  const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(value)
    ? Date.parse(value)
    : NaN
  if (Number.isNaN(time)) throw badRequest(`Invalid value for parameter ${name}: not a time in RFC 3339.`)
  return time
}

export function requiredTime(query: URLSearchParams, name: string): number {
  required(query, name)
  return timeIn(query, name) as number
}

/** One of some words; a word that there is not is refused. */
export function oneOf<Word extends string>(
  query: URLSearchParams,
  name: string,
  words: readonly [Word, ...Word[]],
): Word {
  const value = query.get(name) ?? words[0]
  const found = words.find((word) => word === value)
  if (!found) throw badRequest(`Invalid value for parameter ${name}: ${value}.`)
  return found
}

export function atMost(values: readonly unknown[], count: number, name: string): void {
  if (values.length > count) throw badRequest(`Too many values for parameter ${name}: at most ${count}.`)
}
