import { GraphQLError, GraphQLScalarType, Kind, type ValueNode } from 'graphql'
import { GraphQLJSON } from 'graphql-scalars'
import { isDate, isMonth, timeForms, toInstant, toIso } from '../../domain/time.ts'

const parseDateTime = (value: unknown, node?: ValueNode): number => {
  const instant = typeof value === 'string' ? toInstant(value) : null
  if (instant === null) throw invalidTime(timeForms.dateTime, node)
  return instant
}

/** Creates the error for an invalid time; `node` is its place in the document if it is not a variable. */
const invalidTime = (message: string, node: ValueNode | undefined) =>
  new GraphQLError(message, { nodes: node ?? null, extensions: { code: 'BAD_USER_INPUT' } })

/** Milliseconds since the Unix epoch in code, ISO 8601 in UTC on the wire. */
export const DateTime = new GraphQLScalarType<number, string>({
  name: 'DateTime',
  description:
    'An RFC 3339 date-time with a time zone. Responses use UTC with milliseconds, such as 2026-01-31T12:00:00.000Z.',
  specifiedByURL: 'https://scalars.graphql.org/andimarek/date-time.html',
  serialize: (value) => toIso(value as number),
  parseValue: (value) => parseDateTime(value),
  parseLiteral: (node) => parseDateTime(node.kind === Kind.STRING ? node.value : null, node),
})

export const Json = new GraphQLScalarType({
  ...GraphQLJSON.toConfig(),
  description: 'Any JSON value.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc8259',
})

/** Creates a scalar that is the same string in code and on the wire. Only arguments of requests are validated. */
const textScalar = (
  name: string,
  description: string,
  isValid: (text: string) => boolean,
  form: string,
  specifiedByURL: string | null = null,
) => {
  const parse = (value: unknown, node?: ValueNode): string => {
    if (typeof value === 'string' && isValid(value)) return value
    throw invalidTime(form, node)
  }
  return new GraphQLScalarType<string, string>({
    name,
    description,
    specifiedByURL,
    serialize: (value) => value as string,
    parseValue: (value) => parse(value),
    parseLiteral: (node) => parse(node.kind === Kind.STRING ? node.value : null, node),
  })
}

export const CalendarDate = textScalar(
  'Date',
  'A calendar day, YYYY-MM-DD, such as 2026-01-31.',
  isDate,
  timeForms.date,
  'https://scalars.graphql.org/andimarek/local-date.html',
)

export const Month = textScalar('Month', 'A calendar month, YYYY-MM, such as 2026-01.', isMonth, timeForms.month)
