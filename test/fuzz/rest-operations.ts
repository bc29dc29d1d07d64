import { catalogue, type Operation } from '../conformance/catalogue.ts'
import { isJsonObject, type JsonObject, type Subject, valueAt } from '../conformance/subject.ts'

/** An operation of the service's own OpenAPI document. */
export interface Target {
  readonly method: string
  /** Path with names in braces. */
  readonly path: string
  readonly query: readonly string[]
  /** Values of `expand` and similar parameters, if the document lists them. */
  readonly choices: Readonly<Record<string, readonly string[]>>
  /** Members of the body; null without a body. */
  readonly members: readonly string[] | null
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete']

/** Returns the operations of /tsp/v1/openapi.json, or of the catalogue if the service has no document. */
export async function targetsOf(subject: Subject): Promise<readonly Target[]> {
  const { status, body } = await subject.get('/openapi.json', { key: null, token: null })
  return status === 200 && isJsonObject(body) ? documented(body) : catalogue.map(fromCatalogue)
}

const fromCatalogue = ({ method, path, query, expand }: Operation): Target => ({
  method,
  path,
  query: Object.keys(query),
  choices: { expand },
  members: method === 'GET' || method === 'DELETE' ? null : ['status', 'publicToken', 'provider', 'days'],
})

function documented(document: JsonObject): Target[] {
  const paths = document['paths']
  if (!isJsonObject(paths)) throw new Error('the document has no paths')
  return Object.entries(paths).flatMap(([path, item]) =>
    METHODS.filter((method) => isJsonObject(item) && isJsonObject(item[method])).map((method) =>
      target(document, path, method, item as JsonObject),
    ),
  )
}

function target(document: JsonObject, path: string, method: string, item: JsonObject): Target {
  const operation = item[method] as JsonObject
  const parameters = [item['parameters'], operation['parameters']]
    .flat()
    .map((parameter) => resolved(document, parameter))
    .filter((parameter) => parameter['in'] === 'query')
  const body = resolved(document, operation['requestBody'])
  const schema = resolved(document, valueAt(body, 'content.application/json.schema') ?? jsonSchema(body))
  const properties = schema['properties']
  return {
    method: method.toUpperCase(),
    path: path.replace(/^\/tsp\/v1/, ''),
    query: parameters.map((parameter) => String(parameter['name'])),
    choices: Object.fromEntries(
      parameters.map((parameter) => [String(parameter['name']), enumOf(document, parameter)]),
    ),
    members: isJsonObject(operation['requestBody'])
      ? Object.keys(isJsonObject(properties) ? properties : {})
      : null,
  }
}

function jsonSchema(body: JsonObject): unknown {
  const content = body['content']
  const media = isJsonObject(content) ? content['application/json'] : undefined
  return isJsonObject(media) ? media['schema'] : undefined
}

function enumOf(document: JsonObject, parameter: JsonObject): string[] {
  const schema = resolved(document, parameter['schema'])
  const values = schema['enum']
  return Array.isArray(values) ? values.map(String) : []
}

function resolved(document: JsonObject, value: unknown): JsonObject {
  if (!isJsonObject(value)) return {}
  const reference = value['$ref']
  if (typeof reference !== 'string') return value
  const found = reference
    .split('/')
    .slice(1)
    .reduce<unknown>((inner, name) => (isJsonObject(inner) ? inner[name] : undefined), document)
  return resolved(document, found)
}
