import { z } from 'zod'
import { isId, type Kind, withArticle } from '../../src/domain/ids.ts'
import { isDate, isMonth, timeForms, toInstant } from '../../src/domain/time.ts'
import { didYouMean } from './did-you-mean.ts'
import { idSchema } from '../openapi/id-schema.ts'
import { publishAs } from '../openapi/param-overrides.ts'

// Schemas for query parameters. Each converts the text of the URL to the value of a GraphQL variable. A parameter
// has the description of the GraphQL argument that uses it, unless `publishAs` gives it another one.

/** Digits, or a number such as 1e3: JSON Schema considers both an integer. */
const WHOLE_NUMBER = /^\d+(?:e\d+)?$/i
/** Largest page of a list, and of a time series. GraphQL refuses a larger one. */
const MAX_LIST = 1000
const MAX_SERIES = 10_000
const MAX_IDS = 50

const limitUpTo = (maximum: number, description?: string) =>
  publishAs(
    z
      .string()
      .transform((given, context) => {
        const size = WHOLE_NUMBER.test(given) ? Number(given) : 0
        if (size >= 1) return Math.min(size, maximum)
        context.addIssue('`limit` must be a whole number from 1 up.')
        return z.NEVER
      })
      .optional(),
    { type: 'integer', minimum: 1 },
    description,
  )

export const page = {
  cursor: publishAs(
    z.string().optional(),
    { type: 'string' },
    'The `next` of the previous page. Send it with unchanged other parameters.',
  ),
  limit: limitUpTo(MAX_LIST),
}

/** Page parameters of a time series, which has larger pages. */
export const seriesPage = {
  cursor: page.cursor,
  limit: limitUpTo(MAX_SERIES, 'The number of records: 500 by default, 10,000 at most.'),
}

export const text = publishAs(z.string().optional(), { type: 'string' })

/** `true` or `false`; false by default. A flag that no GraphQL argument uses needs a description. */
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
    `${timeForms.dateTime} The + of an offset is written %2B in a URL.`,
  )

export const dateTime = publishAs(dateTimeText.optional(), { type: 'string', format: 'date-time' })

/** A date-time, or a date that means midnight UTC. */
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

export const date = publishAs(z.string().refine(isDate, timeForms.date).optional(), {
  type: 'string',
  format: 'date',
})

/** A month, which is required. */
export const month = publishAs(
  z.string('This parameter is required: a month, such as 2026-01.').refine(isMonth, timeForms.month),
  { type: 'string', pattern: '^\\d{4}-(0[1-9]|1[0-2])$', examples: ['2026-01'] },
)

/** Filters by the time at which Odograph last modified a record. */
export const modified = { modifiedAfter: dateTime, modifiedBefore: dateTime }

/** One enum value, which is optional. */
export const oneOf = <Word extends string>(...words: readonly [Word, ...Word[]]) =>
  publishAs(enumSchema(words).optional(), { type: 'string', enum: words })

/** One enum value, which is required. The GraphQL variable has it in capitals. */
export const enumSchema = <Word extends string>(words: readonly [Word, ...Word[]]) =>
  z.enum(words, `Give one of ${listed(words)}.`).transform((word) => word.toUpperCase())

/** Enum values, separated by commas, in any order, each at most once. */
export const enumListParameter = <Word extends string>(...words: readonly Word[]) =>
  publishAs(
    nameListSchema(words)
      .transform((given) => given.map((word) => word.toUpperCase()))
      .optional(),
    listSchema({ enum: words }),
  )

/** References to expand to whole records: separated by commas, in any order, each at most once. */
export const expand = <Name extends string>(...names: readonly Name[]) =>
  publishAs(
    nameListSchema(names)
      .transform(
        (given) =>
          Object.fromEntries(names.map((name) => [name, given.includes(name)])) as Record<Name, boolean>,
      )
      .prefault(''),
    listSchema({ enum: names }),
    'References to return as whole records instead of ids, in any order.',
  )

/** Names, separated by commas. An unknown or repeated name is a problem. */
const nameListSchema = (names: readonly string[]) =>
  z.string().transform((given, context) => {
    const selected = given === '' ? [] : given.split(',')
    const unknown = selected.find((name) => !names.includes(name))
    if (unknown !== undefined)
      context.addIssue({
        code: 'custom',
        message: `Give one or more of ${listed(names)}, separated by commas.`,
        params: { suggestion: didYouMean(unknown, names) },
      })
    else if (new Set(selected).size < selected.length) context.addIssue('Give each name at most once.')
    return selected
  })

/** Texts, separated by commas. The resolver validates them. */
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
      .refine((given) => isId(kind, given), `Give the id of ${withArticle(kind)}.`)
      .optional(),
    idSchema(kind),
  )

export const ids = (kind: Kind) =>
  publishAs(
    z
      .string()
      .transform((given, context) => {
        const distinct = [...new Set(given.split(','))]
        const invalid = distinct.find((given) => !isId(kind, given))
        if (invalid !== undefined)
          context.addIssue(`\`${shortened(invalid)}\` is not the id of ${withArticle(kind)}.`)
        else if (distinct.length > MAX_IDS)
          context.addIssue(`Give at most ${MAX_IDS} ids, separated by commas.`)
        return distinct
      })
      .optional(),
    { ...listSchema(idSchema(kind)), maxItems: MAX_IDS },
  )

/** Check of a query that rejects a range which ends before it starts. An unreadable end is a problem of its own. */
export const startNotAfterEnd =
  (from: string, to: string) =>
  (context: z.core.ParsePayload): void => {
    const given = context.value as Readonly<Record<string, string | undefined>>
    const [start, end] = [given[from], given[to]]
    if (start === undefined || end === undefined || momentOf(start) <= momentOf(end)) return
    if (context.issues.some(({ path }) => path?.[0] === from || path?.[0] === to)) return
    const message = `\`${from}\` must not be after \`${to}\`.`
    context.issues.push({ code: 'custom', message, path: [from], input: start })
  }

/** Returns the time of a date-time, a date or a month. */
const momentOf = (given: string): number => toInstant(given) ?? Date.parse(given)

function listSchema(items: Readonly<Record<string, unknown>>) {
  return { type: 'array', items: { type: 'string', ...items }, uniqueItems: true }
}

const listed = (words: readonly string[]): string => words.map((word) => `\`${word}\``).join(', ')

const shortened = (word: string): string => (word.length > 40 ? `${word.slice(0, 40)}…` : word)
