import { type JsonSchema, refTo } from './json-schema.ts'

/** Named schemas of an OpenAPI document. */
export interface Components {
  readonly schemas: ReadonlyMap<string, JsonSchema>
  /** Refers to a schema by the first name that is free or already belongs to it. */
  named(names: readonly string[], schema: JsonSchema): JsonSchema
  /** Refers to a schema by a name that it already has, or returns undefined. */
  known(names: readonly string[], schema: JsonSchema): JsonSchema | undefined
}

export function emptyComponents(): Components {
  const schemas = new Map<string, JsonSchema>()
  const texts = new Map<string, string>()
  const named: Components['named'] = (names, schema) => {
    const text = JSON.stringify(schema)
    const name = names.find((one) => (texts.get(one) ?? text) === text)
    // Other schemas have all names: this schema is inlined.
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
