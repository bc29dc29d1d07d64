import type { DayOfWeek } from '../../../domain/calendar.ts'
import { isTimeZone } from '../../../domain/time.ts'
import { COMPARED_MS } from '../evidence/compared-time.ts'
import { type RuleName, rules } from './policy.ts'

/** Highest value of each limit that is a number. The lowest is 0. */
const maximumByLimit = {
  maxDistanceMeters: 1_000_000,
  maxSpeedKmh: 1000,
  maxAgeSeconds: 86_400,
  withinSeconds: 86_400,
  tolerancePercent: 100,
  maxLevelAgeSeconds: 86_400,
  maxLitersPerHour: 1000,
  maxStandingLitersPerHour: 1000,
  maxPurchases: 50,
  windowSeconds: COMPARED_MS / 1000,
  fromHour: 24,
  untilHour: 24,
} as const

type NumberName = keyof typeof maximumByLimit

/** Limits of rules by name. Absent and null limits are inherited. */
export type RuleLimits = { readonly [Name in NumberName]?: number | null } & {
  readonly days?: readonly DayOfWeek[] | null
  readonly timeZone?: string | null
}

export type LimitName = keyof RuleLimits

export const limitNames = [...Object.keys(maximumByLimit), 'days', 'timeZone'] as readonly LimitName[]

export const hasLimit = (rule: RuleName, limit: LimitName): boolean => limit in rules[rule].limits

/** Returns what must be given in place of the value of a limit; null if the value is valid. */
export function correctionOf(limit: LimitName, limits: RuleLimits): string | null {
  if (limit === 'days') {
    const days = limits.days ?? []
    return days.length > 0 && new Set(days).size === days.length ? null : 'Give each day once, at least one.'
  }
  if (limit === 'timeZone')
    return isTimeZone(limits.timeZone ?? '') ? null : 'Give a name such as America/Chicago.'
  const [value, maximum] = [limits[limit] ?? 0, maximumByLimit[limit]]
  return value >= 0 && value <= maximum ? null : `Give a number from 0 to ${maximum.toLocaleString('en')}.`
}

/** Returns the limits that belong to a rule. */
export const limitsOfRule = (rule: RuleName, limits: RuleLimits): RuleLimits =>
  Object.fromEntries(
    limitNames
      .filter((name) => hasLimit(rule, name) && limits[name] != null)
      .map((name) => [name, limits[name]]),
  )
