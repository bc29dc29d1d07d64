import { STATUS_CODES } from 'node:http'
import { type DocumentNode, type GraphQLSchema, Kind, parse } from 'graphql'
import { responseSchemas } from './response-schemas.ts'
import { type Components, emptyComponents } from './components.ts'
import { type EventDeclarations, eventSchemas } from './event-schemas.ts'
import type { JsonSchema } from './json-schema.ts'
import { parametersOf, requestBodyOf } from './parameters.ts'
import {
  errorComponents,
  errorResponses,
  errorResponsesOf,
  errorsOf,
  rateLimitHeaders,
} from './error-responses.ts'
import { completeRoute } from '../response/record-selection.ts'
import { MAX_LIMIT, type RouteAuth, type Route, type Tag, tags, type Variables } from '../route.ts'

/** Builds the OpenAPI 3.1 document from the declarations of routes and event types and the GraphQL schema. */
export function openApi(
  declaredRoutes: readonly Route[],
  schema: GraphQLSchema,
  events: EventDeclarations,
  scopesOf: ScopesOf = () => [],
  basePath = '',
): JsonSchema {
  const routes = declaredRoutes.map((route) => completeRoute(route, schema))
  const components = emptyComponents()
  const operations = new Map<Route, JsonSchema>()
  // Routes that read come first, so that the record of a list gets the name of its type. The record of a write may
  // have another selection, and then gets another name.
  for (const route of routes.toSorted((one, other) => Number(isWrite(one)) - Number(isWrite(other))))
    operations.set(route, {
      ...operationOf(route, schema, components),
      'x-scopes': requiredScopes(route, scopesOf),
    })
  const webhooks = [...eventSchemas(events, schema, components)].map(([type, body]) => [
    type,
    { post: webhookOf(type, events[type]?.description ?? '', body) },
  ])
  const used = new Set(routes.map(({ tag }) => tag))
  return {
    openapi: '3.1.0',
    info,
    servers: [{ url: `${basePath}/tsp/v1` }],
    security: security.connection,
    tags: (Object.keys(tags) as Tag[])
      .filter((name) => used.has(name))
      .map((name) => ({ name, description: tags[name] })),
    paths: pathsOf(routes, operations),
    webhooks: Object.fromEntries(webhooks),
    components: {
      schemas: Object.fromEntries(
        [...components.schemas, ...Object.entries(errorComponents)].toSorted(byName),
      ),
      responses: usedResponses(routes),
      securitySchemes,
    },
  }
}

const info = {
  title: 'Odograph',
  version: '1',
  summary: 'One interface to the data of many fleet telematics providers.',
  description: [
    'Lists return `{results, next?}`: send `next` as `cursor` until it is absent.',
    'Members without a value are omitted. Times are in UTC, distances in kilometers, speeds in km/h,',
    'durations in whole milliseconds.',
  ].join(' '),
  license: { name: 'MIT', identifier: 'MIT' },
}

const securitySchemes = {
  secretKey: {
    type: 'http',
    scheme: 'bearer',
    description:
      "The application's secret key: `Authorization: Bearer sk_…`. " +
      '`x-scopes` lists the scopes that an operation requires of a key with scopes. ' +
      '`expand` also requires the scopes of the expanded records. A 403 response names the missing scope.',
  },
  connectionToken: {
    type: 'apiKey',
    in: 'header',
    name: 'Connection-Token',
    description: 'The connection token: `con_tkn_…`. It selects the connection of the request.',
  },
}

/** Function that returns the scopes that an operation requires of a key. */
export type ScopesOf = (operation: string, variables: Variables) => readonly string[]

/** Returns the scopes that a route requires for a request without `expand`. */
function requiredScopes({ operation }: Route, scopesOf: ScopesOf): readonly string[] {
  const document = parse(operation)
  const variables = document.definitions.flatMap((definition) =>
    definition.kind === Kind.OPERATION_DEFINITION ? (definition.variableDefinitions ?? []) : [],
  )
  const unexpanded = Object.fromEntries(variables.map(({ variable: { name } }) => [name.value, false]))
  return scopesOf(operation, unexpanded)
}

const security: Readonly<Record<RouteAuth, readonly JsonSchema[]>> = {
  connection: [{ secretKey: [], connectionToken: [] }],
  key: [{ secretKey: [] }],
  either: [{ secretKey: [] }, { secretKey: [], connectionToken: [] }],
  none: [{}, { secretKey: [] }],
}

const isWrite = ({ method }: Route): boolean => method !== 'GET'

const byName = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]) =>
  one < other ? -1 : 1

function pathsOf(routes: readonly Route[], operations: ReadonlyMap<Route, JsonSchema>) {
  const paths = new Map<string, Record<string, unknown>>()
  for (const route of routes) {
    const path = paths.get(route.path) ?? {}
    path[route.method.toLowerCase()] = operations.get(route)
    paths.set(route.path, path)
  }
  return Object.fromEntries(paths)
}

function usedResponses(routes: readonly Route[]): JsonSchema {
  const used = new Set(
    routes.flatMap(errorsOf).flatMap((code) => errorResponsesOf([code]).map(([, ref]) => ref['$ref'])),
  )
  return Object.fromEntries(
    Object.entries(errorResponses).filter(([name]) => used.has(`#/components/responses/${name}`)),
  )
}

function operationOf(route: Route, schema: GraphQLSchema, components: Components): JsonSchema {
  const document = parse(route.operation)
  const name = nameOf(document)
  const requestBody = requestBodyOf(route, document, schema)
  const responseSchema = route.response.schema(
    responseSchemas(document, schema, components, name.replace(/^[A-Z][a-z]+/, '')),
  )
  const status = route.status ?? 200
  return {
    operationId: `${name[0]?.toLowerCase()}${name.slice(1)}`,
    summary: route.summary,
    tags: [route.tag],
    ...(route.auth === 'connection' ? {} : { security: security[route.auth] }),
    parameters: parametersOf(route, document, schema),
    ...(requestBody ? { requestBody } : {}),
    responses: {
      [status]: {
        description: `${STATUS_CODES[status]}.`,
        headers: headersOf(route),
        content: contentOf(route, responseSchema),
      },
      ...Object.fromEntries(errorResponsesOf(errorsOf(route))),
    },
  }
}

/** Describes the request that delivers an event to a webhook endpoint. */
const webhookOf = (type: string, description: string, body: JsonSchema): JsonSchema => ({
  operationId: `on.${type}`,
  summary: description.replace(/\.$/, ''),
  tags: ['Webhooks' satisfies Tag],
  security: [],
  parameters: Object.entries(webhookHeaders).map(([name, text]) => ({
    name,
    in: 'header',
    required: true,
    description: text,
    schema: { type: 'string' },
  })),
  requestBody: { required: true, content: { 'application/json': { schema: body } } },
  responses: { '2XX': { description: 'The endpoint has the event.' } },
})

/** Headers with which a receiver verifies a message. */
const webhookHeaders: Readonly<Record<string, string>> = {
  'webhook-id': 'The id of the event, the same in each attempt.',
  'webhook-timestamp': 'The time of the attempt, in Unix seconds.',
  'webhook-signature': 'A signature for each valid secret, `v1,` and base64, separated by spaces.',
}

const headersOf = ({ method, responseHeaders = {}, query }: Route): JsonSchema => ({
  ...(method === 'GET' ? {} : { 'Idempotent-Replayed': replayedHeader }),
  ...Object.fromEntries(
    Object.entries(responseHeaders).map(([name, { description }]) => [
      name,
      { description, schema: { type: 'string' } },
    ]),
  ),
  ...('limit' in query.shape ? { [MAX_LIMIT]: maxLimitHeader } : {}),
  ...rateLimitHeaders,
})

const replayedHeader = {
  description: '`true` if this is the response to an earlier request with the same `Idempotency-Key`.',
  schema: { type: 'string' },
}

const maxLimitHeader = {
  description: 'The maximum of the list, if it replaced a larger `limit`.',
  schema: { type: 'integer' },
}

const contentOf = ({ response }: Route, schema: JsonSchema): JsonSchema => ({
  'application/json': { schema },
  ...Object.fromEntries((response.otherTypes ?? []).map((type) => [type, {}])),
})

function nameOf({ definitions: [operation] }: DocumentNode): string {
  const name = operation && 'name' in operation ? operation.name?.value : undefined
  if (!name) throw new Error('the operation of a route needs a name')
  return name
}
