import type { FastifyReply, FastifyRequest } from 'fastify'
import { parse } from 'graphql'
import {
  addCaller,
  missingConnection,
  sessionsNotSupported,
  anonymous,
  type Caller,
  type Credentials,
} from '../src/auth/caller.ts'
import type { Gateway } from '../src/gateway/gateway.ts'
import { isId, type Kind } from '../src/domain/ids.ts'
import { lifetimeOf } from '../src/http/requests/operation-lifetimes.ts'
import { notFoundError } from './response/response-shape.ts'
import { toRestError } from './response/graphql-error.ts'
import { variablesOf } from './request/variable-names.ts'
import { createBodyReader } from './request/read-body.ts'
import { type QueryParams, createQueryReader, type UnknownParameterPolicy } from './request/read-query.ts'
import { MAX_LIMIT, type RouteAuth, type Route, type Variables } from './route.ts'
import { completeRoute } from './response/record-selection.ts'
import { createSerializers } from './response/json-serializer.ts'

export type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<string | Buffer>

/** Creates the handler of a route. It prepares here what does not depend on the request. */
export function createRouteHandler(
  route: Route,
  gateway: Gateway,
  unknownParameters: UnknownParameterPolicy,
): Handler {
  const { apiSchema } = gateway.ownSupergraph
  const { operation } = completeRoute(route, apiSchema)
  const { run, selectsSecret } = gateway.prepare(operation)
  const write = route.response.writer(createSerializers(parse(operation), apiSchema))
  const readVariables = variablesReader(route, unknownParameters)
  const status = route.status ?? 200
  const responseHeaders = Object.entries(route.responseHeaders ?? {})
  return async (request, reply) => {
    const credentials = credentialsOf(request, route.auth)
    const caller = await callerOf(request, credentials, route.auth, gateway)
    const variables = readVariables(request, caller)
    const logContext = request.tracking?.logContext
    const idempotencyKey = request.headers['idempotency-key']?.toString()
    const requester = { caller, credentials, logContext, idempotencyKey, lifetime: lifetimeOf(reply) }
    const { data, errors } = await run(requester, variables)
    if (errors?.[0]) throw toRestError(errors[0], route)
    if (!data) throw new Error(`${route.path}: the operation returned no data`)
    const body = write(data)
    for (const [name, { value }] of responseHeaders) {
      const content = value(data)
      if (content !== null) void reply.header(name, content)
    }
    const maximum = replacedLimit(request.query as QueryParams, variables)
    if (maximum !== null) void reply.header(MAX_LIMIT, maximum)
    if (typeof body === 'string') {
      reply.isCompressible = route.method === 'GET' && !selectsSecret(variables)
      void reply.code(status).header('content-type', 'application/json; charset=utf-8')
      return body
    }
    void reply.code(body.status).header('content-type', body.contentType)
    return body.bytes
  }
}

/**
 * Creates a function that reads the variables of the operation from the path, the query and the body, in that
 * order. It throws the errors of the first part that has any.
 */
function variablesReader(
  route: Route,
  unknownParameters: UnknownParameterPolicy,
): (request: FastifyRequest, caller: Caller) => Variables {
  const readQuery = createQueryReader(route, unknownParameters)
  const readBody = createBodyReader(route.requestBody, unknownParameters)
  const params = Object.entries(route.params ?? {})
  return (request, caller) => {
    const ids = pathIdsOf(request.params as Readonly<Record<string, string>>, params)
    const query = variablesOf(readQuery(request.query as QueryParams))
    if (route.method === 'GET')
      return { ...query, ...ids, ...route.variables?.({ authenticated: caller !== anonymous }) }
    const input = { ...readBody(request.body), ...inputMembersOf(ids, route.fromPath) }
    return { ...query, ...ids, ...(route.requestBody ? { input } : {}) }
  }
}

/** Returns the maximum that replaced a larger `limit`; null if the request got the limit that it asked for. */
const replacedLimit = ({ limit }: QueryParams, { first }: Variables): number | null =>
  typeof first === 'number' && Number(limit) > first ? first : null

/** Returns the members of `$input` that are ids in the path. */
const inputMembersOf = (ids: Variables, members: Route['fromPath'] = {}): Variables =>
  Object.fromEntries(Object.entries(members).map(([member, parameter]) => [member, ids[parameter]]))

/** Authenticates the key before it requires a connection token, so a missing key is reported first. */
async function callerOf(
  { remoteAddress, tracking }: FastifyRequest,
  credentials: Credentials,
  auth: RouteAuth,
  gateway: Gateway,
): Promise<Caller> {
  if (auth === 'none' && credentials.authorization === undefined) return anonymous
  const caller = await gateway.authenticate(credentials, remoteAddress)
  addCaller(tracking?.logContext, caller)
  if (caller.session !== null) throw sessionsNotSupported()
  if (auth === 'connection' && credentials.connectionToken === undefined) throw missingConnection()
  return caller
}

/** Reads the credentials. A route that reads no data of a connection ignores the connection token. */
function credentialsOf({ headers }: FastifyRequest, auth: RouteAuth): Credentials {
  const { authorization, 'connection-token': token } = headers
  return auth === 'connection' || auth === 'either'
    ? { authorization, connectionToken: token?.toString() }
    : { authorization }
}

/** Returns the ids in the path. A malformed id is 404, like an unknown id. */
function pathIdsOf(
  given: Readonly<Record<string, string>>,
  params: readonly (readonly [string, Kind])[],
): Variables {
  const ids: Record<string, string> = {}
  for (const [name, kind] of params) {
    const id = given[name] ?? ''
    if (!isId(kind, id)) throw notFoundError(kind)
    ids[name] = id
  }
  return ids
}
