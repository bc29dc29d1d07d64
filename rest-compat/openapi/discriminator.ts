import { getNullableType, type GraphQLInterfaceType, type GraphQLSchema, isEnumType } from 'graphql'

/** The member that tells which of several types a record is of, and its word for each of them. */
export interface Discriminator {
  readonly field: string
  /** By the name of the type. */
  readonly words: ReadonlyMap<string, string>
}

/** An enumeration of an interface whose words are the names of its types, as `ENGINE_STATE` is of `EngineStateStatLog`. */
export function discriminatorOf(type: GraphQLInterfaceType, schema: GraphQLSchema): Discriminator | null {
  const types = schema.getPossibleTypes(type).map(({ name }) => name)
  for (const [field, { type: given }] of Object.entries(type.getFields())) {
    const named = getNullableType(given)
    if (!isEnumType(named)) continue
    const values = named.getValues().map(({ name }) => name)
    const words = new Map(types.flatMap((name) => wordFor(name, values).map((word) => [name, word])))
    if (words.size === types.length) return { field, words }
  }
  return null
}

/** The longest of the words that a type's name begins with. */
const wordFor = (typeName: string, values: readonly string[]): string[] =>
  values
    .filter((value) => typeName.toLowerCase().startsWith(value.replaceAll('_', '').toLowerCase()))
    .toSorted((one, other) => other.length - one.length)
    .slice(0, 1)
    .map((value) => value.toLowerCase())
