import type { JsonSchema } from './json-schema.ts'

const DIALECT = 'https://json-schema.org/draft/2020-12/schema'
const COMPONENTS = '#/components/schemas/'

/** JSON Schemas of events. Each contains the schemas that it refers to. */
export interface EventJsonSchemas {
  /** Schema of any event. */
  readonly any: JsonSchema
  /** Schemas by the name of the event type, aliases included. */
  readonly byType: ReadonlyMap<string, JsonSchema>
}

interface Document {
  readonly webhooks: Readonly<Record<string, { readonly post: Webhook }>>
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> }
}

interface Webhook {
  readonly requestBody: { readonly content: { readonly 'application/json': { readonly schema: JsonSchema } } }
}

/** Returns the JSON Schemas of the events of an OpenAPI document. */
export function eventJsonSchemas(document: JsonSchema): EventJsonSchemas {
  const { webhooks, components } = document as unknown as Document
  const names = Object.values(webhooks).map(({ post }) =>
    componentIn(String(post.requestBody.content['application/json'].schema['$ref'])),
  )
  const standalone = (title: string, schema: JsonSchema): JsonSchema => {
    const own = asJsonSchema(schema) as JsonSchema
    return { $schema: DIALECT, title, ...own, $defs: definitionsFor(own, components.schemas) }
  }
  return {
    any: standalone('Event', { oneOf: names.map((name) => ({ $ref: `${COMPONENTS}${name}` })) }),
    byType: new Map(
      names.flatMap((name) => {
        const schema = components.schemas[name] ?? {}
        return typesOf(schema).map((type) => [type, standalone(name, schema)])
      }),
    ),
  }
}

const componentIn = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1)

const typesOf = ({ properties }: JsonSchema): readonly string[] =>
  (properties as { readonly type: { readonly enum: readonly string[] } }).type.enum

/** Returns the schemas to which a schema refers, directly or through others. */
function definitionsFor(schema: JsonSchema, schemas: Document['components']['schemas']): JsonSchema {
  const definitions = new Map<string, unknown>()
  const pending = [schema as unknown]
  for (let value = pending.pop(); value !== undefined; value = pending.pop())
    for (const [, name = ''] of JSON.stringify(value).matchAll(/"#\/\$defs\/(\w+)"/g)) {
      if (definitions.has(name)) continue
      const definition = asJsonSchema(schemas[name])
      definitions.set(name, definition)
      pending.push(definition)
    }
  return Object.fromEntries([...definitions].toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

/** Returns a schema without the keyword that only OpenAPI has, with its references pointing to `$defs`. */
function asJsonSchema(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asJsonSchema)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name !== 'discriminator')
      .map(([name, member]) => [
        name,
        name === '$ref' ? String(member).replace(COMPONENTS, '#/$defs/') : asJsonSchema(member),
      ]),
  )
}
