import { z } from 'zod'
import { isId, type Kind, withArticle } from '../../src/domain/ids.ts'
import { isDate, timeForms, toInstant } from '../../src/domain/time.ts'
import { idSchema } from '../openapi/id-schema.ts'
import { publishAs } from '../openapi/param-overrides.ts'
import { enumSchema } from './query-params.ts'

// Schemas for the members of JSON request bodies.

export const textMember = z.string('Give a text.')

/** Object that rejects members that are not in `shape`. */
export const strictObject = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.strictObject(shape, 'Give an object.')

export const list = <Item extends z.ZodType>(item: Item) => z.array(item, 'Give a list.')

export const anyObject = publishAs(z.record(z.string(), z.unknown(), 'Give an object.'), {
  type: 'object',
  additionalProperties: true,
})

/** One of the lower-case `values`. It becomes the upper-case value of the GraphQL enum. */
export const enumMember = <Value extends string>(...values: readonly [Value, ...Value[]]) =>
  publishAs(enumSchema(values), { type: 'string', enum: values })

export const dateTimeMember = publishAs(
  textMember.refine((given) => toInstant(given) !== null, timeForms.dateTime),
  { type: 'string', format: 'date-time' },
)

/** A date-time, or a date that means midnight UTC. */
export const dateOrDateTimeMember = publishAs(
  textMember.transform((given) => (isDate(given) ? `${given}T00:00:00Z` : given)).pipe(dateTimeMember),
  { type: 'string', format: 'date-time' },
)

export const days = z.number('Give a number of days.').min(0, 'Give a number of days that is 0 or more.')

export const idMember = (kind: Kind) =>
  publishAs(
    textMember.refine((given) => isId(kind, given), `Give the id of ${withArticle(kind)}.`),
    idSchema(kind),
  )

export const company = strictObject({ name: textMember.optional(), dotNumbers: list(textMember).optional() })

const filterOf = (kind: 'vehicle' | 'driver') =>
  strictObject({
    status: z.enum(['active', 'inactive'], 'Give `active` or `inactive`.').optional(),
    excludeIds: list(idMember(kind)).optional(),
    includeIds: list(idMember(kind)).optional(),
  })

/** Filters that decide which vehicles and drivers of a connection are visible. GraphQL takes them unchanged, as JSON. */
export const visibilityFilters = strictObject({
  vehicles: filterOf('vehicle').optional(),
  drivers: filterOf('driver').optional(),
})

export const syncMode = enumMember('automatic', 'manual')

/** Step that a person completes at the provider. Clients send its type, or an object with the `type`. */
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
