import { z } from 'zod'
import { isId, type Kind } from '../src/ids.ts'
import { toInstant } from '../src/time.ts'
import { nearest } from './nearest.ts'

/** What the query parameters of routes are made of. Each takes the text of the URL and gives what the graph takes. */

const WHOLE_NUMBER = /^\d+(?:e\d+)?$/i
/** The largest that GraphQL's Int holds; the graph clamps to what a page holds. */
const LARGEST = 2 ** 31 - 1
const MOST_IDS = 50

const limit = z.string().transform((text, context) => {
  const size = WHOLE_NUMBER.test(text) ? Number(text) : 0
  if (size >= 1) return Math.min(size, LARGEST)
  context.addIssue('`limit` must be a whole number from 1 up.')
  return z.NEVER
})

export const page = { cursor: z.string().optional(), limit: limit.optional() }

export const text = z.string().optional()

export const flag = z
  .enum(['true', 'false'], 'Give `true` or `false`.')
  .transform((word) => word === 'true')
  .default(false)

export const dateTime = z
  .string()
  .refine(
    (given) => toInstant(given) !== null,
    'Give a date-time with a zone, such as 2026-01-31T12:00:00Z. The + of an offset is written %2B in a URL.',
  )
  .optional()

export const modified = { modifiedAfter: dateTime, modifiedBefore: dateTime }

/** One word of an enumeration, which the graph spells in capitals. */
export const oneOf = <Word extends string>(...words: readonly [Word, ...Word[]]) =>
  z
    .enum(words, `Give one of ${listed(words)}.`)
    .transform((word) => word.toUpperCase())
    .optional()

export const ids = (kind: Kind) =>
  z
    .string()
    .transform((given, context) => {
      const distinct = [...new Set(given.split(','))]
      const wrong = distinct.find((id) => !isId(kind, id))
      if (wrong !== undefined) context.addIssue(`\`${shortened(wrong)}\` is not the id of a ${kind}.`)
      else if (distinct.length > MOST_IDS)
        context.addIssue(`Give ${MOST_IDS} ids at most, separated by commas.`)
      return distinct
    })
    .optional()

/** References that are written as whole records: separated by commas, in any order, each at most once. */
export const expand = <Name extends string>(...names: readonly Name[]) =>
  z
    .string()
    .transform((given, context) => {
      const words = given === '' ? [] : given.split(',')
      const unknown = words.find((word) => !names.some((name) => name === word))
      if (unknown !== undefined)
        context.addIssue({
          code: 'custom',
          message: `Give ${listed(names)}.`,
          params: { suggestion: nearest(unknown, names) },
        })
      else if (new Set(words).size < words.length) context.addIssue('Give each name once.')
      return Object.fromEntries(names.map((name) => [name, words.includes(name)])) as Record<Name, boolean>
    })
    .prefault('')

const listed = (words: readonly string[]): string => words.map((word) => `\`${word}\``).join(', ')

const shortened = (word: string): string => (word.length > 40 ? `${word.slice(0, 40)}…` : word)
