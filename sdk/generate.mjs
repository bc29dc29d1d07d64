import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { format } from 'prettier'

// Generates `src/generated.ts`: types of the records and operations in the OpenAPI document.

const here = import.meta.dirname
const root = join(here, '..')

/** Returns the source of `src/generated.ts` for an OpenAPI document. */
export async function sourceOf({ paths, webhooks, components }) {
  const { Event: anyEvent, ...schemas } = components.schemas
  const eventTypes = Object.values(webhooks).map(({ post }) =>
    typeOf(post.requestBody.content['application/json'].schema),
  )
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      path,
      method: method.toUpperCase(),
    })),
  )
  const parts = [
    '/** Written by `node sdk/generate.mjs` from the OpenAPI document of the service. */',
    ...Object.entries(schemas).map(([name, schema]) => declared(name, schema)),
    ...declaredEvents(anyEvent, eventTypes),
    '/** A page of a list. `next` is the cursor of the next page. */',
    'export interface Page<Item> { readonly results: readonly Item[]; readonly next?: string }',
    '/** Parameters and result of each operation. The parameters are those of its path, query and body. */',
    `export interface Operations {\n${operations.map(typesOf).join('\n')}\n}`,
    '/** Method, path, query parameters and result kind of each operation. Other parameters form the body. */',
    `export const operations = {\n${operations.map(requestOf).join('\n')}\n} as const`,
  ]
  const { prettier } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return format(parts.join('\n\n'), { ...prettier, parser: 'typescript' })
}

const declared = (name, schema) =>
  schema.properties && !schema.allOf
    ? `${documentation(schema)}export interface ${name} ${objectOf(schema)}`
    : `${documentation(schema)}export type ${name} = ${typeOf(schema)}`

/**
 * Declares the union of all events. An enum is a text that the compiler never takes for another text, so a comparison
 * with the type of a known event excludes unknown events.
 */
const declaredEvents = (anyEvent, eventTypes) => {
  const { type } = anyEvent.properties
  const unknownEvent = {
    ...anyEvent,
    properties: { ...anyEvent.properties, type: { ...type, $ref: 'UnknownEventType' } },
    description: 'An event of a type that a newer service has and this version of the client does not know.',
  }
  return [
    `${comment('An event of a type that this version of the client knows.')}export type KnownEvent = ${eventTypes.join(' | ')}`,
    `${comment('A text that is none of the known types.')}declare enum UnknownEventType { unknown = '' }`,
    declared('UnknownEvent', unknownEvent),
    `${documentation(anyEvent)}export type Event = KnownEvent | UnknownEvent`,
  ]
}

function typesOf({ operationId, summary, parameters: all, requestBody, responses }) {
  // A header is an option of the call.
  const parameters = all.filter((parameter) => parameter.in !== 'header')
  const body = requestBody?.content['application/json'].schema ?? {}
  const params = {
    properties: {
      ...Object.fromEntries(
        parameters.map(({ name, description, schema }) => [name, { ...schema, description }]),
      ),
      ...body.properties,
    },
    required: [
      ...parameters.filter(({ required }) => required).map(({ name }) => name),
      ...(body.required ?? []),
    ],
  }
  const [, answer] = Object.entries(responses).find(([status]) => status.startsWith('2'))
  return `${comment(`${summary}.`)}${operationId}: {
    readonly params: ${objectOf(params, ' | undefined')}
    readonly result: ${resultType(answer.content['application/json'].schema)}
  }`
}

/** Returns the type of a result. A page of items is `Page<Item>`. */
function resultType(schema) {
  const { results, next } = schema.properties ?? {}
  return results && next ? `Page<${typeOf(results.items)}>` : typeOf(schema)
}

function requestOf({ operationId, method, path, parameters, responses }) {
  const names = (location) =>
    JSON.stringify(parameters.filter((parameter) => parameter.in === location).map(({ name }) => name))
  const [, { content }] = Object.entries(responses).find(([status]) => status.startsWith('2'))
  const { results, next } = content['application/json'].schema.properties ?? {}
  const kind = results && next ? 'page' : Object.keys(content).length > 1 ? 'bytes' : 'record'
  return `${operationId}: { method: '${method}', path: '${path}', query: ${names('query')}, result: '${kind}' },`
}

function typeOf(schema) {
  if (schema.$ref) return schema.$ref.split('/').at(-1)
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  const choices = schema.oneOf ?? schema.anyOf
  if (choices) return [...new Set(choices.map(typeOf))].join(' | ')
  if (schema.allOf) return schema.allOf.map((part) => `(${typeOf(part)})`).join(' & ')
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeOf({ ...schema, type })).join(' | ')
  return simple(schema)
}

function simple(schema) {
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type
    case 'integer':
    case 'number':
      return 'number'
    case 'array':
      return `readonly (${typeOf(schema.items)})[]`
    case 'object':
      return schema.properties ? objectOf(schema) : 'Readonly<Record<string, unknown>>'
    default:
      return 'unknown'
  }
}

/**
 * Returns an object type. `absent` is appended to the type of each optional member: ` | undefined` permits undefined.
 */
const objectOf = ({ properties, required = [] }, absent = '') =>
  `{ ${Object.entries(properties)
    .map(([name, member]) =>
      required.includes(name)
        ? `${documentation(member)}readonly ${quoted(name)}: ${typeOf(member)}`
        : `${documentation(member)}readonly ${quoted(name)}?: ${typeOf(member)}${absent}`,
    )
    .join('\n')} }`

const quoted = (name) => (/^\w+$/.test(name) ? name : JSON.stringify(name))

const documentation = ({ description }) => (description ? comment(description) : '')

const comment = (text) => {
  const lines = text.replaceAll('*/', '*\\/').split('\n')
  return lines.length === 1
    ? `/** ${lines[0]} */\n`
    : `/**\n${lines.map((line) => ` * ${line}`).join('\n')}\n */\n`
}

async function main() {
  const { buildSchema } = await import('graphql')
  const { openApi } = await import(join(root, 'dist/rest-compat/openapi/openapi.js'))
  const { routes } = await import(join(root, 'dist/rest-compat/routes.js'))
  const { eventTypes } = await import(join(root, 'dist/src/domain/event-catalog.js'))
  const schema = buildSchema(readFileSync(join(root, 'schema/api.graphql'), 'utf8'))
  writeFileSync(join(here, 'src/generated.ts'), await sourceOf(openApi(routes, schema, eventTypes)))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main()
