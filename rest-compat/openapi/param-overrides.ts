import { z } from 'zod'
import type { JsonSchema } from './json-schema.ts'

interface ParamOverride {
  /** What callers send. */
  readonly schema: JsonSchema
  /** Where no argument of the graph says it. */
  readonly description?: string
}

/** How parameters and members are published that are read as text and turned into something else. */
export const paramOverrides = z.registry<ParamOverride>()

/** Publishes a schema as another one than zod sees. */
export const publishAs = <Schema extends z.ZodType>(
  schema: Schema,
  published: JsonSchema,
  description?: string,
): Schema => {
  paramOverrides.add(schema, { schema: published, ...(description === undefined ? {} : { description }) })
  return schema
}
