import { GraphQLError, GraphQLScalarType, Kind } from 'graphql'
import { GraphQLJSON } from 'graphql-scalars'
import { isDate, isMonth, toInstant, toIso } from '../../domain/time.ts'

const toNumber = (value: unknown): number => {
  const instant = typeof value === 'string' ? toInstant(value) : null
  if (instant === null)
    throw new GraphQLError('A DateTime is an RFC 3339 date-time with a zone, such as 2026-01-31T12:00:00Z.', {
      extensions: { code: 'BAD_USER_INPUT' },
    })
  return instant
}

/** Milliseconds inside, ISO 8601 in UTC outside. */
export const DateTime = new GraphQLScalarType<number, string>({
  name: 'DateTime',
  description:
    'A moment: an RFC 3339 date-time. Answers are in UTC with milliseconds, such as 2026-01-31T12:00:00.000Z.',
  serialize: (value) => toIso(value as number),
  parseValue: toNumber,
  parseLiteral: (node) => toNumber(node.kind === Kind.STRING ? node.value : null),
})

export const Json = new GraphQLScalarType({
  ...GraphQLJSON.toConfig(),
  description: 'Any JSON value.',
  specifiedByURL: null,
})

/** A scalar that is text of one form inside and outside. */
const textScalar = (name: string, description: string, isOne: (text: string) => boolean, like: string) => {
  const checked = (value: unknown): string => {
    if (typeof value === 'string' && isOne(value)) return value
    throw new GraphQLError(`A ${name} is like ${like}.`, { extensions: { code: 'BAD_USER_INPUT' } })
  }
  return new GraphQLScalarType<string, string>({
    name,
    description,
    serialize: (value) => value as string,
    parseValue: checked,
    parseLiteral: (node) => checked(node.kind === Kind.STRING ? node.value : null),
  })
}

export const CalendarDate = textScalar('Date', 'A day: YYYY-MM-DD, such as 2026-01-31.', isDate, '2026-01-31')

export const Month = textScalar('Month', 'A month: YYYY-MM, such as 2026-01.', isMonth, '2026-01')
