import { type JsonSchema, refTo } from './json-schema.ts'

/** Schemas of an OpenAPI document by name. */
export interface Components {
  readonly schemas: ReadonlyMap<string, JsonSchema>
  /**
   * Returns a reference to a schema, by the first name that is free or already belongs to it. Returns the schema
   * itself if other schemas have all the names.
   */
  named(names: readonly string[], schema: JsonSchema): JsonSchema
  /** Returns a reference to a schema by a name that it already has; undefined if it has none. */
  known(names: readonly string[], schema: JsonSchema): JsonSchema | undefined
}

export function emptyComponents(): Components {
  const schemas = new Map<string, JsonSchema>()
  const texts = new Map<string, string>()
  const named: Components['named'] = (names, schema) => {
    const text = JSON.stringify(schema)
    const name = names.find((candidate) => (texts.get(candidate) ?? text) === text)
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
      const name = names.find((candidate) => texts.get(candidate) === text)
      return name === undefined ? undefined : refTo(name)
    },
  }
}
