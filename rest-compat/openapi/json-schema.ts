/** A JSON Schema of the 2020-12 draft, as OpenAPI 3.1 holds it. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** The schema of what an operation selects at a path, such as `['vehicles', 'nodes']`. */
export type SchemaAt = (path: readonly string[]) => JsonSchema

export const refTo = (component: string): JsonSchema => ({ $ref: `#/components/schemas/${component}` })
