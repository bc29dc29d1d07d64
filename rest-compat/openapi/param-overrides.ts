import { z } from 'zod'
import type { JsonSchema } from './json-schema.ts'

interface ParamOverride {
  /** Schema of the values that callers send. */
  readonly schema: JsonSchema
  /** Replaces the description of the GraphQL argument. */
  readonly description?: string
}

/** Published schemas of parameters and members whose zod schema parses a text. */
export const paramOverrides = z.registry<ParamOverride>()

/** Registers the published schema of a zod schema. */
export const publishAs = <Schema extends z.ZodType>(
  schema: Schema,
  published: JsonSchema,
  description?: string,
): Schema => {
  paramOverrides.add(schema, { schema: published, ...(description === undefined ? {} : { description }) })
  return schema
}
