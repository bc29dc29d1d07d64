import { z } from 'zod'
import { isId, type Kind } from '../../src/domain/ids.ts'
import { isDate, isMonth, toInstant } from '../../src/domain/time.ts'
import { didYouMean } from './did-you-mean.ts'
import { idSchema } from '../openapi/id-schema.ts'
import { publishAs } from '../openapi/param-overrides.ts'

/** What the query parameters of routes are made of. Each takes the text of the URL and gives what the graph takes. */

const WHOLE_NUMBER = /^\d+(?:e\d+)?$/i
/** The largest that GraphQL's Int holds; the graph clamps to what a page holds. */
const LARGEST = 2 ** 31 - 1
const MAX_IDS = 50

const limit = z.string().transform((given, context) => {
  const size = WHOLE_NUMBER.test(given) ? Number(given) : 0
  if (size >= 1) return Math.min(size, LARGEST)
  context.addIssue('`limit` must be a whole number from 1 up.')
  return z.NEVER
})

export const page = {
  cursor: publishAs(
    z.string().optional(),
    { type: 'string' },
    'Goes on from a page: the `next` that came with it. The other parameters stay as they were.',
  ),
  limit: publishAs(limit.optional(), { type: 'integer', minimum: 1 }),
}

/** Of a series, whose pages are larger. */
export const seriesPage = {
  cursor: page.cursor,
  limit: publishAs(
    limit.optional(),
    { type: 'integer', minimum: 1 },
    'How many records, 500 unless told; 10,000 at most.',
  ),
}

export const text = publishAs(z.string().optional(), { type: 'string' })

/** `true` or `false`; the description where the graph has no argument for it. */
export const flag = (description?: string) =>
  publishAs(
    z
      .enum(['true', 'false'], 'Give `true` or `false`.')
      .transform((word) => word === 'true')
      .default(false),
    { type: 'boolean', default: false },
    description,
  )

export const raw = flag("Adds the provider's own records to each record, as `raw`.")

const dateTimeText = z
  .string()
  .refine(
    (given) => toInstant(given) !== null,
    'Give a date-time with a zone, such as 2026-01-31T12:00:00Z. The + of an offset is written %2B in a URL.',
  )

export const dateTime = publishAs(dateTimeText.optional(), { type: 'string', format: 'date-time' })

/** A date means its first moment in UTC (decision B4). */
export const dateOrDateTime = publishAs(
  z
    .string()
    .transform((given) => (isDate(given) ? `${given}T00:00:00Z` : given))
    .pipe(dateTimeText)
    .optional(),
  {
    anyOf: [
      { type: 'string', format: 'date-time' },
      { type: 'string', format: 'date' },
    ],
  },
)

export const date = publishAs(
  z.string().refine(isDate, 'Give a day that exists, such as 2026-01-31.').optional(),
  {
    type: 'string',
    format: 'date',
  },
)

/** A month that must be given. */
export const month = publishAs(
  z
    .string('This parameter is required: a month, such as 2026-01.')
    .refine(isMonth, 'Give a month, such as 2026-01.'),
  { type: 'string', pattern: '^\\d{4}-(0[1-9]|1[0-2])$', examples: ['2026-01'] },
)

export const modified = { modifiedAfter: dateTime, modifiedBefore: dateTime }

/** One word of an enumeration, which the graph spells in capitals. */
export const oneOf = <Word extends string>(...words: readonly [Word, ...Word[]]) =>
  publishAs(wordOf(words).optional(), { type: 'string', enum: words })

export const wordOf = <Word extends string>(words: readonly [Word, ...Word[]]) =>
  z.enum(words, `Give one of ${listed(words)}.`).transform((word) => word.toUpperCase())

/** Words of an enumeration, separated by commas, in any order, each at most once. */
export const manyOf = <Word extends string>(description: string | undefined, ...words: readonly Word[]) =>
  publishAs(
    wordsOf(words)
      .transform((given) => given.map((word) => word.toUpperCase()))
      .optional(),
    listSchema({ enum: words }),
    description,
  )

/** References that are written as whole records: separated by commas, in any order, each at most once. */
export const expand = <Name extends string>(...names: readonly Name[]) =>
  publishAs(
    wordsOf(names)
      .transform(
        (given) =>
          Object.fromEntries(names.map((name) => [name, given.includes(name)])) as Record<Name, boolean>,
      )
      .prefault(''),
    listSchema({ enum: names }),
    'Writes these references as whole records instead of ids. In any order.',
  )

const wordsOf = (words: readonly string[]) =>
  z.string().transform((given, context) => {
    const asked = given === '' ? [] : given.split(',')
    const unknown = asked.find((word) => !words.includes(word))
    if (unknown !== undefined)
      context.addIssue({
        code: 'custom',
        message: `Give ${listed(words)}.`,
        params: { suggestion: didYouMean(unknown, words) },
      })
    else if (new Set(asked).size < asked.length) context.addIssue('Give each name once.')
    return asked
  })

/** Words that the graph knows, separated by commas. */
export const texts = publishAs(
  z
    .string()
    .transform((given) => [...new Set(given.split(','))])
    .optional(),
  listSchema({}),
)

export const id = (kind: Kind) =>
  publishAs(
    z
      .string()
      .refine((given) => isId(kind, given), `Give the id of ${article(kind)} ${kind}.`)
      .optional(),
    idSchema(kind),
  )

export const ids = (kind: Kind) =>
  publishAs(
    z
      .string()
      .transform((given, context) => {
        const distinct = [...new Set(given.split(','))]
        const wrong = distinct.find((one) => !isId(kind, one))
        if (wrong !== undefined) context.addIssue(`\`${shortened(wrong)}\` is not the id of a ${kind}.`)
        else if (distinct.length > MAX_IDS)
          context.addIssue(`Give ${MAX_IDS} ids at most, separated by commas.`)
        return distinct
      })
      .optional(),
    { ...listSchema(idSchema(kind)), maxItems: MAX_IDS },
  )

/** Refuses a range that ends before it starts. */
export const ordered =
  (from: string, to: string) =>
  (context: z.core.ParsePayload): void => {
    const given = context.value as Readonly<Record<string, string | undefined>>
    const [start, end] = [given[from], given[to]]
    if (start === undefined || end === undefined || momentOf(start) <= momentOf(end)) return
    const message = `\`${from}\` must not be after \`${to}\`.`
    context.issues.push({ code: 'custom', message, path: [from], input: start })
  }

const momentOf = (given: string): number => toInstant(given) ?? Date.parse(given)

function listSchema(items: Readonly<Record<string, unknown>>) {
  return { type: 'array', items: { type: 'string', ...items }, uniqueItems: true }
}

const listed = (words: readonly string[]): string => words.map((word) => `\`${word}\``).join(', ')

const article = (word: string): string => (/^[aeiou]/.test(word) ? 'an' : 'a')

const shortened = (word: string): string => (word.length > 40 ? `${word.slice(0, 40)}…` : word)
