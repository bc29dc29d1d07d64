import {
  getNamedType,
  getNullableType,
  type GraphQLField,
  type GraphQLSchema,
  isLeafType,
  isListType,
  isObjectType,
} from 'graphql'
import { costOfArgument, fixedCostOf, pageSizesOf, recordFieldsOf, sizeOfPlainList } from './cost-weights.ts'

export const COST_DIRECTIVES = `"""
The cost of a field, in addition to the objects that it returns, which cost 1 each. A value costs 0.1. The cost of an argument with a value is added. Defined by the cost directives specification of IBM.
"""
directive @cost(
  """The cost as a decimal number."""
  weight: String!
) on FIELD_DEFINITION | ARGUMENT_DEFINITION

"""
The number of objects that a field is assumed to return. Defined by the cost directives specification of IBM.
"""
directive @listSize(
  """The number without any of the slicing arguments."""
  assumedSize: Int

  """The arguments that set the number."""
  slicingArguments: [String!]

  """The fields of the returned page that have this number of objects."""
  sizedFields: [String!]

  """Whether exactly one of the slicing arguments is required."""
  requireOneSlicingArgument: Boolean = true
) on FIELD_DEFINITION
`

/** Returns the directives of the cost of a field, each after a space. */
export function costDirectivesOf(schema: GraphQLSchema, typeName: string, fieldName: string): string {
  const type = schema.getType(typeName)
  const field = isObjectType(type) ? type.getFields()[fieldName] : undefined
  if (!field) return ''
  return weightOf(fixedCostOf(typeName, fieldName)) + listSizeOf(typeName, field)
}

/** Returns the directive of the cost of an argument, after a space. Empty for an argument without a cost. */
export const costDirectiveOfArgument = (typeName: string, fieldName: string, argument: string): string =>
  weightOf(costOfArgument(typeName, fieldName, argument))

const weightOf = (cost: number): string => (cost > 0 ? ` @cost(weight: "${cost}")` : '')

const listOf = (names: readonly string[]): string => `[${names.map((name) => `"${name}"`).join(', ')}]`

/** Returns the directive for the number of objects of a field. Empty for a field that returns one object or values. */
function listSizeOf(typeName: string, field: GraphQLField<unknown, unknown>): string {
  const returned = getNamedType(field.type)
  const page = pageSizesOf(field)
  if (page && isObjectType(returned)) {
    const slicing = ['first', 'last'].filter((name) => field.args.some((argument) => argument.name === name))
    const sized = recordFieldsOf(returned.name).filter((name) => name in returned.getFields())
    return ` @listSize(assumedSize: ${page.preset}, slicingArguments: ${listOf(slicing)}, sizedFields: ${listOf(sized)}, requireOneSlicingArgument: false)`
  }
  const isSized = recordFieldsOf(typeName).includes(field.name)
  if (isLeafType(returned) || isSized || !isListType(getNullableType(field.type))) return ''
  const assumed = sizeOfPlainList(typeName, field, () => null)({})
  return ` @listSize(assumedSize: ${assumed})`
}
