import { z } from 'zod'
import { isId, type Kind } from '../../src/domain/ids.ts'
import { isDate, toInstant } from '../../src/domain/time.ts'
import { idSchema } from '../openapi/id-schema.ts'
import { publishAs } from '../openapi/param-overrides.ts'
import { enumSchema, withArticle } from './query-params.ts'

// Schemas for the members of JSON request bodies.

export const textMember = z.string('Give a text.')

/** Object that rejects members that are not in `shape`. */
export const strictObject = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.strictObject(shape, 'Give an object.')

export const list = <Item extends z.ZodType>(item: Item) => z.array(item, 'Give a list.')

/** Any JSON object. */
export const anyObject = publishAs(z.record(z.string(), z.unknown(), 'Give an object.'), {
  type: 'object',
  additionalProperties: true,
})

/** One of the `values`. The GraphQL variable has it in capitals. */
export const enumMember = <Value extends string>(...values: readonly [Value, ...Value[]]) =>
  publishAs(enumSchema(values), { type: 'string', enum: values })

export const dateTimeMember = publishAs(
  textMember.refine(
    (given) => toInstant(given) !== null,
    'Give a date-time with a zone, such as 2026-01-31T12:00:00Z.',
  ),
  { type: 'string', format: 'date-time' },
)

/** A date-time or a date. A date means its first instant in UTC. */
export const startMember = publishAs(
  textMember.transform((given) => (isDate(given) ? `${given}T00:00:00Z` : given)).pipe(dateTimeMember),
  { type: 'string', format: 'date-time' },
)

export const days = z.number('Give a number of days.').min(0, 'Give a number of days that is 0 or more.')

export const idOf = (kind: Kind) =>
  publishAs(
    textMember.refine((given) => isId(kind, given), `Give the id of ${withArticle(kind)}.`),
    idSchema(kind),
  )

export const company = strictObject({ name: textMember.optional(), dotNumbers: list(textMember).optional() })

const filterOf = (kind: 'vehicle' | 'driver') =>
  strictObject({
    status: z.enum(['active', 'inactive'], 'Give `active` or `inactive`.').optional(),
    excludeIds: list(idOf(kind)).optional(),
    includeIds: list(idOf(kind)).optional(),
  })

/** Filters that hide vehicles and drivers of a connection. The GraphQL input has the same shape. */
export const filters = strictObject({
  vehicles: filterOf('vehicle').optional(),
  drivers: filterOf('driver').optional(),
})

export const syncMode = enumMember('automatic', 'manual')

/** The type of a request to the provider's staff: a text, or an object with the text as its `type`. */
export const providerRequest = publishAs(
  z.union(
    [
      enumMember('historical_files', 'provision_credentials'),
      strictObject({ type: enumMember('historical_files', 'provision_credentials') }).transform(
        ({ type }) => type,
      ),
    ],
    'Give `historical_files` or `provision_credentials`, or an object with this `type`.',
  ),
  {
    anyOf: [
      { type: 'string', enum: ['historical_files', 'provision_credentials'] },
      {
        type: 'object',
        properties: { type: { type: 'string', enum: ['historical_files', 'provision_credentials'] } },
        required: ['type'],
        additionalProperties: false,
      },
    ],
  },
)
