import { Option } from 'commander'
import { DAY_MS } from '../../domain/models/lookback.ts'
import type { Instant } from '../../domain/time.ts'
import {
  lastDays,
  MAX_DAYS,
  type SummaryPeriod,
} from '../../subgraphs/purchases/summary/purchase-summary-args.ts'
import { parseTime, wholeNumberBetween } from '../arguments.ts'
import { CliError } from '../cli-error.ts'

/** Options for a period of purchases. */
export interface PeriodOptions {
  readonly days?: number
  readonly since?: Instant
  readonly until?: Instant
}

export const daysOption = (): Option =>
  new Option(
    '--days <n>',
    `number of days in UTC, with today or the last day before --until; default: ${DAYS}`,
  ).argParser(wholeNumberBetween(1, MAX_DAYS))

const DAYS = 28

export const sinceOption = (): Option =>
  new Option('--since <time>', 'not before this time, such as 2026-01-31T00:00:00Z')
    .argParser(parseTime)
    .conflicts('days')

export const untilOption = (): Option =>
  new Option('--until <time>', 'before this time; default: now').argParser(parseTime)

/** Returns the period that options give. */
export function chosenPeriod({ days = DAYS, since, until }: PeriodOptions, now: Instant): SummaryPeriod {
  const purchasedBefore = until ?? now
  if (since === undefined) return lastDays(days, purchasedBefore)
  if (since >= purchasedBefore || purchasedBefore - since > MAX_DAYS * DAY_MS)
    throw new CliError(`--since must be before --until, and at most ${MAX_DAYS} days before it`, 2)
  return { purchasedAfter: since, purchasedBefore }
}
