import { GraphQLScalarType, type GraphQLSchema, isScalarType, valueFromASTUntyped } from 'graphql'
import { CalendarDate, DateTime, Month } from '../../subgraphs/schema/scalars.ts'

/**
 * Wraps a scalar: rejects an invalid value before any subgraph is called, and passes a valid one on
 * unchanged.
 */
const validateOnly = (scalar: GraphQLScalarType) =>
  new GraphQLScalarType({
    ...scalar.toConfig(),
    parseValue(value) {
      scalar.parseValue(value)
      return value
    },
    parseLiteral(node) {
      scalar.parseLiteral(node)
      return valueFromASTUntyped(node)
    },
    serialize: (value) => value,
  })

/** Scalars that reject some values, by name. */
export const validatedScalars: Readonly<Record<string, GraphQLScalarType>> = Object.fromEntries(
  [DateTime, CalendarDate, Month].map((scalar) => [scalar.name, validateOnly(scalar)]),
)

/** Makes a schema built from SDL reject invalid literals, so that validation reports them. */
export function validateScalars(schema: GraphQLSchema): GraphQLSchema {
  for (const { name, parseValue, parseLiteral } of Object.values(validatedScalars)) {
    const type = schema.getType(name)
    if (isScalarType(type)) Object.assign(type, { parseValue, parseLiteral })
  }
  return schema
}
