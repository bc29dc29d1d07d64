import { type JsonSchema, refTo } from './json-schema.ts'

/** The schemas that a document holds under names. */
export interface Components {
  readonly schemas: ReadonlyMap<string, JsonSchema>
  /** Refers to a schema by the first of the names that is free or already its own. */
  named(names: readonly string[], schema: JsonSchema): JsonSchema
  /** Refers to a schema by a name that it already has. */
  known(names: readonly string[], schema: JsonSchema): JsonSchema | undefined
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
    known: (names, schema) => {
      const text = JSON.stringify(schema)
      const name = names.find((one) => texts.get(one) === text)
      return name === undefined ? undefined : refTo(name)
    },
  }
}
