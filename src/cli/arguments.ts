import { InvalidArgumentError } from 'commander'
import { type Instant, toInstant } from '../domain/time.ts'

/** Parsers of command-line arguments. Each throws `InvalidArgumentError` for a value that it cannot parse. */

export const wholeNumberBetween =
  (least: number, most: number) =>
  (text: string): number => {
    const value = Number(text)
    if (/^\d+$/.test(text) && value >= least && value <= most) return value
    throw new InvalidArgumentError(`Give a whole number from ${least} to ${most}.`)
  }

export function parseTime(text: string): Instant {
  const instant = toInstant(text)
  if (instant === null) throw new InvalidArgumentError('Give a time like 2026-01-31T12:00:00Z.')
  return instant
}

export const oneOfWords =
  <const Words extends readonly string[]>(words: Words) =>
  (text: string): Words[number] => {
    if (words.includes(text)) return text
    throw new InvalidArgumentError(`Give one of ${words.join(', ')}.`)
  }

export const parseCommaSeparated = (text: string): string[] => text.split(',').filter(Boolean)

const SECONDS = { s: 1, m: 60, h: 3600, d: 86_400 }

/** Parses a duration such as `30m` into seconds. */
export function parseDurationSeconds(text: string): number {
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(text === '0' ? '0s' : text) ?? []
  if (unit) return Number(count) * SECONDS[unit as keyof typeof SECONDS]
  throw new InvalidArgumentError('Give a duration like 30m, 24h, 90d or 0.')
}
