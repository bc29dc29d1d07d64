import { type JsonSchema, refTo } from './json-schema.ts'

/** The schemas that a document holds under names. */
export interface Components {
  readonly schemas: ReadonlyMap<string, JsonSchema>
  /** Refers to a schema by the first of the names that is free or already its own. */
  named(names: readonly string[], schema: JsonSchema): JsonSchema
  /** Refers to the schema of a name where it is the same, and else by the other name. */
  sameOr(name: string, other: string, schema: JsonSchema): JsonSchema
}

export function emptyComponents(): Components {
  const schemas = new Map<string, JsonSchema>()
  const texts = new Map<string, string>()
  const named: Components['named'] = (names, schema) => {
    const text = JSON.stringify(schema)
    const name = names.find((one) => (texts.get(one) ?? text) === text)
    // Where another operation has taken every name, the schema stands where it is used.
    if (name === undefined) return schema
    texts.set(name, text)
    schemas.set(name, schema)
    return refTo(name)
  }
  return {
    schemas,
    named,
    sameOr: (name, other, schema) =>
      texts.get(name) === JSON.stringify(schema) ? refTo(name) : named([other], schema),
  }
}
