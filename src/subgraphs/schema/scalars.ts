import { GraphQLError, GraphQLScalarType, Kind } from 'graphql'
import { GraphQLJSON } from 'graphql-scalars'
import { isDate, isMonth, toInstant, toIso } from '../../domain/time.ts'

const parseDateTime = (value: unknown): number => {
  const instant = typeof value === 'string' ? toInstant(value) : null
  if (instant === null)
    throw new GraphQLError(
      'A DateTime must be an RFC 3339 date-time with a time zone, such as 2026-01-31T12:00:00Z.',
      {
        extensions: { code: 'BAD_USER_INPUT' },
      },
    )
  return instant
}

/** Milliseconds since the Unix epoch in code, ISO 8601 in UTC on the wire. */
export const DateTime = new GraphQLScalarType<number, string>({
  name: 'DateTime',
  description:
    'An RFC 3339 date-time with a time zone. Responses use UTC with milliseconds, such as 2026-01-31T12:00:00.000Z.',
  serialize: (value) => toIso(value as number),
  parseValue: parseDateTime,
  parseLiteral: (node) => parseDateTime(node.kind === Kind.STRING ? node.value : null),
})

export const Json = new GraphQLScalarType({
  ...GraphQLJSON.toConfig(),
  description: 'Any JSON value.',
  specifiedByURL: null,
})

/** Creates a scalar that is the same string in code and on the wire. Only arguments of requests are validated. */
const textScalar = (
  name: string,
  description: string,
  isValid: (text: string) => boolean,
  example: string,
) => {
  const parse = (value: unknown): string => {
    if (typeof value === 'string' && isValid(value)) return value
    throw new GraphQLError(`A ${name} must have the form ${example}.`, {
      extensions: { code: 'BAD_USER_INPUT' },
    })
  }
  return new GraphQLScalarType<string, string>({
    name,
    description,
    serialize: (value) => value as string,
    parseValue: parse,
    parseLiteral: (node) => parse(node.kind === Kind.STRING ? node.value : null),
  })
}

export const CalendarDate = textScalar('Date', 'A calendar day, YYYY-MM-DD, such as 2026-01-31.', isDate, '2026-01-31')

export const Month = textScalar('Month', 'A calendar month, YYYY-MM, such as 2026-01.', isMonth, '2026-01')
