import type { Organization } from '../organization.ts'
import type { Switches } from '../behaviours.ts'

/** An authorized request. */
export interface FakeRequest {
  readonly organization: Organization
  readonly switches: Switches
  readonly query: URLSearchParams
  /** Path parameter `:id`. */
  readonly id: string
  readonly body: string
  /** Base URL of the fake, which serves files. */
  readonly origin: string
}

/** An error response of Samsara. */
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

/** Parses a list of comma-separated or repeated parameters. */
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

/** Parses an RFC 3339 time; null if missing. */
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

/** Parses an enum parameter. The first value is the default. */
export function oneOf<Value extends string>(
  query: URLSearchParams,
  name: string,
  values: readonly [Value, ...Value[]],
): Value {
  const value = query.get(name) ?? values[0]
  const found = values.find((one) => one === value)
  if (!found) throw badRequest(`Invalid value for parameter ${name}: ${value}.`)
  return found
}

export function atMost(values: readonly unknown[], count: number, name: string): void {
  if (values.length > count) throw badRequest(`Too many values for parameter ${name}: at most ${count}.`)
}
