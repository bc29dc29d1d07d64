import type { Period } from './records/time-ordered.ts'
import { badRequest } from './http-error.ts'
import { WORLD_START_MS } from './world/fleet.ts'

const MAX_LIMIT = 1000
const DEFAULT_LIMIT = 100

const RFC_3339 = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/

export function limitOf(query: URLSearchParams): number {
  const text = query.get('limit')
  if (text === null) return DEFAULT_LIMIT
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0
  if (limit < 1 || limit > MAX_LIMIT) throw badRequest(`limit must be a number from 1 to ${MAX_LIMIT}`)
  return limit
}

/** Returns the period from `since` to `until`. It ends now at the latest: the future has no records. */
export function periodOf(query: URLSearchParams, nowMs: number): Period {
  const sinceMs = timeOf(query, 'since') ?? WORLD_START_MS
  const untilMs = timeOf(query, 'until') ?? Number.POSITIVE_INFINITY
  if (sinceMs > untilMs) throw badRequest('since must not be after until')
  return { sinceMs: Math.max(sinceMs, WORLD_START_MS), untilMs: Math.min(untilMs, nowMs + 1) }
}

/** Returns the months from `fromMonth` to `toMonth`, both included, up to the current month. */
export function monthsOf(query: URLSearchParams, nowMs: number): { from: string; to: string } {
  const from = monthOf(query, 'fromMonth') ?? FIRST_MONTH
  const to = monthOf(query, 'toMonth') ?? '9999-12'
  if (from > to) throw badRequest('fromMonth must not be after toMonth')
  const lastMonth = new Date(nowMs).toISOString().slice(0, 7)
  return { from: from < FIRST_MONTH ? FIRST_MONTH : from, to: to > lastMonth ? lastMonth : to }
}

const FIRST_MONTH = new Date(WORLD_START_MS).toISOString().slice(0, 7)

function monthOf(query: URLSearchParams, name: string): string | undefined {
  const text = query.get(name)
  if (text !== null && !/^\d{4}-(0[1-9]|1[0-2])$/.test(text))
    throw badRequest(`${name} must be a month, YYYY-MM`)
  return text ?? undefined
}

function timeOf(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name)
  if (text === null) return undefined
  const time = RFC_3339.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(time)) throw badRequest(`${name} must be an RFC 3339 date-time`)
  return time
}
