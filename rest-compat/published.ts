import { z } from 'zod'
import type { JsonSchema } from './openapi/json-schema.ts'

interface Publication {
  /** What callers send. */
  readonly schema: JsonSchema
  /** Where no argument of the graph says it. */
  readonly description?: string
}

/** How parameters and members are published that are read as text and turned into something else. */
export const publications = z.registry<Publication>()

/** Publishes a schema as another one than zod sees. */
export const as = <Schema extends z.ZodType>(
  schema: Schema,
  published: JsonSchema,
  description?: string,
): Schema => {
  publications.add(schema, { schema: published, ...(description === undefined ? {} : { description }) })
  return schema
}
