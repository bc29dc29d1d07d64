/** JSON Schema of draft 2020-12, which OpenAPI 3.1 uses. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** Returns the schema of an operation's selection at a path, such as `['vehicles', 'nodes']`. */
export type SchemaAt = (path: readonly string[]) => JsonSchema

export const refTo = (component: string): JsonSchema => ({ $ref: `#/components/schemas/${component}` })
