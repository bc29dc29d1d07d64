import { catalogue, type Operation } from '../conformance/catalogue.ts'
import { isRow, type Row, type Subject, valueAt } from '../conformance/subject.ts'

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
  return status === 200 && isRow(body) ? documented(body) : catalogue.map(fromCatalogue)
}

const fromCatalogue = ({ method, path, query, expand }: Operation): Target => ({
  method,
  path,
  query: Object.keys(query),
  choices: { expand },
  members: method === 'GET' || method === 'DELETE' ? null : ['status', 'publicToken', 'provider', 'days'],
})

function documented(document: Row): Target[] {
  const paths = document['paths']
  if (!isRow(paths)) throw new Error('the document has no paths')
  return Object.entries(paths).flatMap(([path, item]) =>
    METHODS.filter((method) => isRow(item) && isRow(item[method])).map((method) =>
      target(document, path, method, item as Row),
    ),
  )
}

function target(document: Row, path: string, method: string, item: Row): Target {
  const operation = item[method] as Row
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
    members: isRow(operation['requestBody']) ? Object.keys(isRow(properties) ? properties : {}) : null,
  }
}

function jsonSchema(body: Row): unknown {
  const content = body['content']
  const media = isRow(content) ? content['application/json'] : undefined
  return isRow(media) ? media['schema'] : undefined
}

function enumOf(document: Row, parameter: Row): string[] {
  const schema = resolved(document, parameter['schema'])
  const values = schema['enum']
  return Array.isArray(values) ? values.map(String) : []
}

function resolved(document: Row, value: unknown): Row {
  if (!isRow(value)) return {}
  const reference = value['$ref']
  if (typeof reference !== 'string') return value
  const found = reference
    .split('/')
    .slice(1)
    .reduce<unknown>((inner, name) => (isRow(inner) ? inner[name] : undefined), document)
  return resolved(document, found)
}
