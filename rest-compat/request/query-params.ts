import { z } from 'zod'
import { isId, type Kind } from '../../src/domain/ids.ts'
import { isDate, isMonth, toInstant } from '../../src/domain/time.ts'
import { didYouMean } from './did-you-mean.ts'
import { idSchema } from '../openapi/id-schema.ts'
import { publishAs } from '../openapi/param-overrides.ts'

// Schemas for query parameters. Each converts the text of the URL to the value of a GraphQL variable. A parameter has the
// description of the GraphQL argument with its name, unless `publishAs` gives it another one.

/** Digits, or a number such as 1e3, which JSON Schema considers an integer. */
const WHOLE_NUMBER = /^\d+(?:e\d+)?$/i
/** Largest value of GraphQL's Int. A larger limit is reduced to it; the resolvers reduce it to the largest page size. */
const MAX_INT = 2 ** 31 - 1
const MAX_IDS = 50

const limit = z.string().transform((given, context) => {
  const size = WHOLE_NUMBER.test(given) ? Number(given) : 0
  if (size >= 1) return Math.min(size, MAX_INT)
  context.addIssue('`limit` must be a whole number from 1 up.')
  return z.NEVER
})

export const page = {
  cursor: publishAs(
    z.string().optional(),
    { type: 'string' },
    'The `next` of the previous page. Send it with unchanged other parameters.',
  ),
  limit: publishAs(limit.optional(), { type: 'integer', minimum: 1 }),
}

/** Page parameters of a series, which has larger pages. */
export const seriesPage = {
  cursor: page.cursor,
  limit: publishAs(
    limit.optional(),
    { type: 'integer', minimum: 1 },
    'The number of records: 500 by default, 10,000 at most.',
  ),
}

export const text = publishAs(z.string().optional(), { type: 'string' })

/** `true` or `false`. A flag without a GraphQL argument needs a description. */
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

/** Date-time or date. A date means its first instant in UTC. */
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

/** Required month. */
export const month = publishAs(
  z
    .string('This parameter is required: a month, such as 2026-01.')
    .refine(isMonth, 'Give a month, such as 2026-01.'),
  { type: 'string', pattern: '^\\d{4}-(0[1-9]|1[0-2])$', examples: ['2026-01'] },
)

export const modified = { modifiedAfter: dateTime, modifiedBefore: dateTime }

/** One enum value. GraphQL spells it in capitals. */
export const oneOf = <Word extends string>(...words: readonly [Word, ...Word[]]) =>
  publishAs(wordOf(words).optional(), { type: 'string', enum: words })

/** Schema of `oneOf`, for a value that is required. */
export const wordOf = <Word extends string>(words: readonly [Word, ...Word[]]) =>
  z.enum(words, `Give one of ${listed(words)}.`).transform((word) => word.toUpperCase())

/** Enum values, separated by commas, in any order, each at most once. */
export const manyOf = <Word extends string>(description: string | undefined, ...words: readonly Word[]) =>
  publishAs(
    wordsOf(words)
      .transform((given) => given.map((word) => word.toUpperCase()))
      .optional(),
    listSchema({ enum: words }),
    description,
  )

/** References to expand to whole records: separated by commas, in any order, each at most once. */
export const expand = <Name extends string>(...names: readonly Name[]) =>
  publishAs(
    wordsOf(names)
      .transform(
        (given) =>
          Object.fromEntries(names.map((name) => [name, given.includes(name)])) as Record<Name, boolean>,
      )
      .prefault(''),
    listSchema({ enum: names }),
    'References to return as whole records instead of ids, in any order.',
  )

const wordsOf = (words: readonly string[]) =>
  z.string().transform((given, context) => {
    const selected = given === '' ? [] : given.split(',')
    const unknown = selected.find((word) => !words.includes(word))
    if (unknown !== undefined)
      context.addIssue({
        code: 'custom',
        message: `Give one or more of ${listed(words)}.`,
        params: { suggestion: didYouMean(unknown, words) },
      })
    else if (new Set(selected).size < selected.length) context.addIssue('Give each name at most once.')
    return selected
  })

/** Texts, separated by commas, which GraphQL validates. */
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
        if (wrong !== undefined)
          context.addIssue(`\`${shortened(wrong)}\` is not the id of ${article(kind)} ${kind}.`)
        else if (distinct.length > MAX_IDS)
          context.addIssue(`Give ${MAX_IDS} ids at most, separated by commas.`)
        return distinct
      })
      .optional(),
    { ...listSchema(idSchema(kind)), maxItems: MAX_IDS },
  )

/** Rejects a range that ends before it starts. */
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
