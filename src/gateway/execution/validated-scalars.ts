import { GraphQLScalarType, type GraphQLSchema, isScalarType, valueFromASTUntyped } from 'graphql'
import { CalendarDate, DateTime, Month } from '../../subgraphs/schema/scalars.ts'

/**
 * Wraps a scalar so that it only validates: it rejects an invalid value before a subgraph is called, and passes a
 * valid value to the subgraph unchanged.
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

/** Validating scalars by name, for the scalars that reject some values. */
export const validatedScalars: Readonly<Record<string, GraphQLScalarType>> = Object.fromEntries(
  [DateTime, CalendarDate, Month].map((scalar) => [scalar.name, validateOnly(scalar)]),
)

/** Makes a schema that was built from SDL reject invalid literals and variables of these scalars. */
export function validateScalars(schema: GraphQLSchema): GraphQLSchema {
  for (const { name, parseValue, parseLiteral } of Object.values(validatedScalars)) {
    const type = schema.getType(name)
    if (isScalarType(type)) Object.assign(type, { parseValue, parseLiteral })
  }
  return schema
}
