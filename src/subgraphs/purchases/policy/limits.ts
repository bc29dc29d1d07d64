import { COMPARED_MS } from '../evidence/compared-time.ts'
import { type RuleName, rules } from './policy.ts'

/** Highest value of each limit. The lowest is 0. */
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
} as const

export type LimitName = keyof typeof maximumByLimit

export const limitNames = Object.keys(maximumByLimit) as readonly LimitName[]

/** Limits of rules by name. Absent and null limits are inherited. */
export type RuleLimits = { readonly [Name in LimitName]?: number | null }

export const hasLimit = (rule: RuleName, limit: LimitName): boolean => limit in rules[rule].limits

export const isInRange = (limit: LimitName, value: number): boolean =>
  value >= 0 && value <= maximumByLimit[limit]

export const rangeOf = (limit: LimitName): string => `0 to ${maximumByLimit[limit].toLocaleString('en')}`

/** Returns the limits that belong to a rule. */
export const limitsOfRule = (rule: RuleName, limits: RuleLimits): RuleLimits =>
  Object.fromEntries(
    limitNames
      .filter((name) => hasLimit(rule, name) && limits[name] != null)
      .map((name) => [name, limits[name]]),
  )
