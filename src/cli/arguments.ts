import { InvalidArgumentError } from 'commander'
import { type Id, idPrefixes, isId, type Kind } from '../domain/ids.ts'
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

/** Returns a parser of the id of a kind of record. */
export const idOf =
  <K extends Kind>(kind: K) =>
  (text: string): Id<K> => {
    if (isId(kind, text)) return text
    throw new InvalidArgumentError(`Give an id like ${idPrefixes[kind]}_01M7XZ3JF90H8EC8HYVB2R0P6F.`)
  }

export const parseCommaSeparated = (text: string): string[] =>
  text
    .split(',')
    .map((word) => word.trim())
    .filter(Boolean)

/** Returns a parser of ids of a kind of record with commas between them. */
export const idsOf =
  <K extends Kind>(kind: K) =>
  (text: string): Id<K>[] => {
    const ids = parseCommaSeparated(text)
    if (ids.length === 0) throw new InvalidArgumentError('Give at least one id.')
    const wrong = ids.find((id) => !isId(kind, id))
    if (wrong === undefined) return ids
    throw new InvalidArgumentError(`${wrong} is no id like ${idPrefixes[kind]}_01M7XZ3JF90H8EC8HYVB2R0P6F.`)
  }

const SECONDS = { s: 1, m: 60, h: 3600, d: 86_400 }

/** Parses a duration such as `30m` into seconds. */
export function parseDurationSeconds(text: string): number {
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(text === '0' ? '0s' : text) ?? []
  if (unit) return Number(count) * SECONDS[unit as keyof typeof SECONDS]
  throw new InvalidArgumentError('Give a duration like 30m, 24h, 90d or 0.')
}
