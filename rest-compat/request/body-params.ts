import { z } from 'zod'
import { isId, type Kind } from '../../src/domain/ids.ts'
import { isDate, toInstant } from '../../src/domain/time.ts'
import { idSchema } from '../openapi/id-schema.ts'
import { publishAs } from '../openapi/param-overrides.ts'
import { wordOf } from './query-params.ts'

/** Schemas for members of JSON request bodies. Objects reject unknown members. */

export const textMember = z.string('Give a text.')

export const whole = <Shape extends z.ZodRawShape>(shape: Shape) => z.strictObject(shape, 'Give an object.')

export const list = <Item extends z.ZodType>(item: Item) => z.array(item, 'Give a list.')

/** Any JSON object. */
export const anyObject = publishAs(z.record(z.string(), z.unknown(), 'Give an object.'), {
  type: 'object',
  additionalProperties: true,
})

export const word = <Word extends string>(...words: readonly [Word, ...Word[]]) =>
  publishAs(wordOf(words), { type: 'string', enum: words })

export const dateTimeMember = publishAs(
  textMember.refine(
    (given) => toInstant(given) !== null,
    'Give a date-time with a zone, such as 2026-01-31T12:00:00Z.',
  ),
  { type: 'string', format: 'date-time' },
)

/** Date-time or date. A date means its first instant in UTC. */
export const since = publishAs(
  textMember.transform((given) => (isDate(given) ? `${given}T00:00:00Z` : given)).pipe(dateTimeMember),
  { type: 'string', format: 'date-time' },
)

export const days = z.number('Give a number of days.').min(0, 'Give a number from 0 up.')

export const idOf = (kind: Kind) =>
  publishAs(
    textMember.refine((given) => isId(kind, given), `Give the id of a ${kind}.`),
    idSchema(kind),
  )

export const company = whole({ name: textMember.optional(), dotNumbers: list(textMember).optional() })

const filterOf = (kind: 'vehicle' | 'driver') =>
  whole({
    status: z.enum(['active', 'inactive'], 'Give `active` or `inactive`.').optional(),
    excludeIds: list(idOf(kind)).optional(),
    includeIds: list(idOf(kind)).optional(),
  })

/** Filters for the visible vehicles and drivers of a connection. GraphQL receives them unchanged. */
export const filters = whole({
  vehicles: filterOf('vehicle').optional(),
  drivers: filterOf('driver').optional(),
})

export const syncMode = word('automatic', 'manual')

export const providerRequest = publishAs(
  z.union(
    [
      word('historical_files', 'provision_credentials'),
      whole({ type: word('historical_files', 'provision_credentials') }).transform(({ type }) => type),
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
