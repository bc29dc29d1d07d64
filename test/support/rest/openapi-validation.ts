import { Ajv2020, type Options, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { GraphQLSchema } from 'graphql'
import { expect } from 'vitest'
import type { JsonSchema } from '../../../rest-compat/openapi/json-schema.ts'
import { openApi } from '../../../rest-compat/openapi/openapi.ts'
import { eventTypes } from '../../../src/domain/event-catalog.ts'
import type { Route } from '../../../rest-compat/route.ts'

/** The published OpenAPI document, as a validator of real responses. */

interface Response {
  readonly $ref?: string
  readonly headers?: Readonly<Record<string, unknown>>
  readonly content?: Readonly<Record<string, { readonly schema?: object }>>
}

export interface Operation {
  readonly operationId: string
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly required?: boolean }[]
  readonly security?: readonly object[]
  readonly requestBody?: object
  readonly responses: Readonly<Record<string, Response>>
}

interface WebhookBody {
  readonly content: { readonly 'application/json': { readonly schema: { readonly $ref: string } } }
}

export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly webhooks: Readonly<Record<string, { readonly post: { readonly requestBody: WebhookBody } }>>
  readonly components: {
    readonly schemas: Readonly<Record<string, object>>
    readonly responses: Readonly<Record<string, Response>>
  }
}

export interface Answered {
  readonly status: number
  readonly contentType: string | undefined
  readonly body: unknown
}

/**
 * Expects a response to match the document's schema for its path and method. Ignores paths outside the
 * document.
 */
export type ExpectDocumented = (method: string, path: string, answer: Answered) => void

/** Statuses that no operation documents: they mean that no operation matches. */
const OF_NO_OPERATION = new Set([404, 405])

export function documented(routes: readonly Route[], schema: GraphQLSchema): ExpectDocumented {
  const document = openApi(routes, schema, eventTypes) as unknown as Document
  const ajv = validatorOf(document)
  const validators = new Map<string, ValidateFunction>()
  const validatorAt = (pointer: string): ValidateFunction => {
    let found = validators.get(pointer)
    if (!found) validators.set(pointer, (found = ajv.compile({ $ref: `api#${pointer}` })))
    return found
  }
  return (method, path, answer) => {
    const at = pathIn(document, path)
    const operation = at && document.paths[at]?.[method.toLowerCase()]
    if (path.startsWith('/openapi.json')) return undefined
    if (!at || !operation) return expect(OF_NO_OPERATION).toContain(answer.status)
    const { pointer, response } = responseAt(document, at, method.toLowerCase(), answer.status)
    expect(response, `${method} ${at} does not document ${answer.status}`).toBeDefined()
    if (!response?.content?.['application/json'] || !answer.contentType?.startsWith('application/json'))
      return expect(Object.keys(response?.content ?? {})).toContain('*/*')
    const validate = validatorAt(`${pointer}/content/application~1json/schema`)
    validate(answer.body)
    expect(validate.errors ?? [], `${method} ${path} responds ${answer.status}`).toEqual([])
  }
}

function validatorOf(document: Document): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, allErrors: true, discriminator: false })
  addFormats.default(ajv)
  const components = Object.entries(document.components.schemas).map(([name, schema]) => [
    name,
    openAt(schema),
  ])
  const { paths, components: others } = closed(document) as Document
  ajv.addSchema({ paths, components: { ...others, schemas: Object.fromEntries(components) } }, 'api')
  return ajv
}

/** Compiles a JSON Schema, with closed objects. The schema itself must pass the strict mode of Ajv. */
export function compileClosed(schema: JsonSchema): ValidateFunction {
  strictAjv().compile(schema)
  const { $defs = {}, ...own } = closed(schema) as Record<string, object>
  const definitions = Object.entries($defs).map(([name, definition]) => [name, openAt(definition)])
  return strictAjv({ strictTypes: false }).compile({ ...own, $defs: Object.fromEntries(definitions) })
}

function strictAjv(options: Options = {}): Ajv2020 {
  const ajv = new Ajv2020({ strict: true, allErrors: true, ...options })
  addFormats.default(ajv)
  return ajv
}

/** Permits further members in the place where a component is used, because a part of an `allOf` must permit them. */
function openAt(schema: object): object {
  const { unevaluatedProperties: _, ...open } = closed(schema) as Record<string, unknown>
  return open
}

/**
 * Returns the document with closed objects, so that undocumented members fail. The parts of an `allOf` are
 * closed together.
 */
function closed(value: unknown, open = false): unknown {
  if (Array.isArray(value)) return value.map((item) => closed(item, open))
  if (typeof value !== 'object' || value === null) return value
  const members = Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, closed(member, name === 'allOf')]),
  )
  const isClosable =
    !open &&
    (/^#\/(?:components\/schemas|\$defs)\//.test(String(members['$ref'])) ||
      'allOf' in members ||
      (members['type'] === 'object' && 'properties' in members))
  return isClosable ? { ...members, unevaluatedProperties: false } : members
}

function responseAt(document: Document, path: string, method: string, status: number) {
  const response = document.paths[path]?.[method]?.responses[status]
  const name = response?.$ref?.split('/').at(-1)
  return name === undefined
    ? { response, pointer: `/paths/${escaped(path)}/${method}/responses/${status}` }
    : { response: document.components.responses[name], pointer: `/components/responses/${name}` }
}

const escaped = (path: string) => encodeURIComponent(path.replaceAll('~', '~0').replaceAll('/', '~1'))

/** Returns the document path that matches a URL. A path without parameters takes precedence. */
function pathIn(document: Document, url: string): string | undefined {
  const [path = ''] = url.split('?', 1)
  return Object.keys(document.paths)
    .toSorted((one, other) => one.split('{').length - other.split('{').length)
    .find((one) => new RegExp(`^${one.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`).test(path))
}
