import { z } from 'zod'
import type { JsonSchema } from './json-schema.ts'

interface ParamOverride {
  /** JSON Schema of the values that callers send. */
  readonly schema: JsonSchema
  /** Description in place of that of the GraphQL argument. */
  readonly description?: string
}

/** What the OpenAPI document shows for a zod schema, if it cannot be derived from the schema. */
export const paramOverrides = z.registry<ParamOverride>()

/** Registers what the OpenAPI document shows for a zod schema. Returns the zod schema. */
export const publishAs = <Schema extends z.ZodType>(
  schema: Schema,
  published: JsonSchema,
  description?: string,
): Schema => {
  paramOverrides.add(schema, { schema: published, ...(description === undefined ? {} : { description }) })
  return schema
}
