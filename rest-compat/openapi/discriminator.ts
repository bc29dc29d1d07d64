import { getNullableType, type GraphQLInterfaceType, type GraphQLSchema, isEnumType } from 'graphql'

/** Member that identifies the type of a record, with its value for each type. */
export interface Discriminator {
  readonly field: string
  /** Keys are type names. */
  readonly values: ReadonlyMap<string, string>
}

/**
 * Finds an enum field of an interface that has a value for each of its types, such as `ENGINE_STATE` for
 * `EngineStateStatLog`.
 */
export function discriminatorOf(type: GraphQLInterfaceType, schema: GraphQLSchema): Discriminator | null {
  const types = schema.getPossibleTypes(type).map(({ name }) => name)
  for (const [field, { type: given }] of Object.entries(type.getFields())) {
    const named = getNullableType(given)
    if (!isEnumType(named)) continue
    const values = named.getValues().map(({ name }) => name)
    const valueByType = new Map(types.flatMap((name) => valueFor(name, values).map((value) => [name, value])))
    if (valueByType.size === types.length) return { field, values: valueByType }
  }
  return null
}

/** Returns the longest value with which the type's name begins, in lower case; an empty list if there is none. */
const valueFor = (typeName: string, values: readonly string[]): string[] =>
  values
    .filter((value) => typeName.toLowerCase().startsWith(value.replaceAll('_', '').toLowerCase()))
    .toSorted((one, other) => other.length - one.length)
    .slice(0, 1)
    .map((value) => value.toLowerCase())
