import { isObject } from '../../../platform/is-object.ts'
import type { Caller } from '../../../auth/caller.ts'
import { PublicError, invalidMember } from '../../../domain/errors.ts'
import type { ProviderResponse } from '../../../providers/provider-api.ts'
import { auditedBy, recordAudit } from '../../tables/audit-log.ts'
import {
  withPublicErrors,
  type ProviderCallDeps,
  createProviderCalls,
} from '../../on-demand/provider-calls.ts'
import { findCallersConnection } from '../find-connection.ts'
import type { ConnectionCommandDeps } from '../command-deps.ts'

export const passthroughMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

export interface PassthroughCommand {
  readonly connectionId?: string | null
  readonly method: (typeof passthroughMethods)[number]
  readonly path: string
  readonly headers?: unknown
  readonly body?: string | null
}

/** A provider's unchanged response, with method and path of the request. */
export interface PassthroughResult extends ProviderResponse {
  readonly method: string
  readonly path: string
}

/**
 * Sends a request to the provider of a connection with the credentials of the connection. It is sent once,
 * without retries.
 */
export async function sendPassthroughRequest(
  deps: ConnectionCommandDeps & ProviderCallDeps,
  caller: Caller,
  { connectionId, method, path, headers, body }: PassthroughCommand,
): Promise<PassthroughResult> {
  checkPath(path)
  checkBody(method, body)
  const validHeaders = validatedHeaders(headers)
  const { id } = await findCallersConnection(deps.db, caller, connectionId)
  const { adapter, api } = await createProviderCalls(deps, caller).connection(id)
  if (!adapter.passthrough)
    throw new PublicError('not_implemented', 'Requests cannot be passed through to this provider.')
  const request = { method, path, headers: validHeaders, body: body ?? null }
  const refusal = adapter.passthroughRefusal?.(request)
  if (refusal) throw new PublicError('unprocessable_entity', refusal)
  if (method !== 'GET') await auditRequest(deps, caller, { connectionId: id, method, path })
  const response = await withPublicErrors(api.send(request))
  return { ...response, method, path }
}

/** Writes the audit entry before the request is sent. If the write fails, nothing has happened at the provider. */
const auditRequest = (
  { db, clock }: ConnectionCommandDeps,
  caller: Caller,
  { connectionId, method, path }: PassthroughCommand,
): Promise<void> =>
  db.transaction((tx) =>
    recordAudit(tx, auditedBy(caller, clock.now()), {
      action: 'passthrough.sent',
      targetId: connectionId ?? null,
      detail: { method, path: withoutIds(path) },
    }),
  )

const MAX_AUDITED_LENGTH = 255
/** A path segment that is a plain word or the version of the API. */
const PLAIN_SEGMENT = /^([a-z]+([-_.][a-z]+)*|v\d+)?$/i

/**
 * Returns the path without its query. A star replaces each segment that may identify a record of the fleet or
 * be a secret.
 */
const withoutIds = (path: string): string =>
  path
    .replace(/\?.*$/s, '')
    .split('/')
    .map((segment) => (PLAIN_SEGMENT.test(segment) ? segment : '*'))
    .join('/')
    .slice(0, MAX_AUDITED_LENGTH)

const MAX_BODY_BYTES = 1024 * 1024
const MAX_PATH_LENGTH = 4096
/** Path and query of characters with which the request stays on the host of the provider. */
const PATH = /^\/(?!\/)[\w\-.~!$&'()*+,;=:/?%[\]|{}"<>^`]*$/

/** A segment `.` or `..`. It could lead out of the API of the provider, to other resources of the host. */
const DOT_SEGMENT = /(?:^|\/)(?:\.|%2e){1,2}(?=[/?]|$)/i

function checkPath(path: string): void {
  const [pathname = ''] = path.split('?', 1)
  if (path.length <= MAX_PATH_LENGTH && PATH.test(path) && !DOT_SEGMENT.test(pathname)) return
  throw invalidMember(
    'path',
    '`path` must begin with one / and must not contain a host, @, \\, #, spaces, or a segment `.` or `..`.',
  )
}

function checkBody(method: string, body: string | null | undefined): void {
  if (body == null) return
  if (method === 'GET') throw invalidMember('body', 'A GET request cannot have a `body`.')
  if (Buffer.byteLength(body) > MAX_BODY_BYTES)
    throw new PublicError('payload_too_large', '`body` may have at most 1 MiB.')
}

const HEADER_NAME = /^[\w!#$%&'*+\-.^`|~]+$/
/** Visible characters, spaces and tabs. Without line breaks, a value cannot add a header. */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/
const MAX_HEADERS = 50

function validatedHeaders(headers: unknown): Readonly<Record<string, string>> {
  if (headers == null) return {}
  const entries = isObject(headers) ? Object.entries(headers) : null
  const isValid = ([name, value]: [string, unknown]) =>
    HEADER_NAME.test(name) && typeof value === 'string' && HEADER_VALUE.test(value)
  if (!entries || entries.length > MAX_HEADERS || !entries.every(isValid))
    throw invalidMember(
      'headers',
      `\`headers\` must be an object of at most ${MAX_HEADERS} header values by name. Values are strings without line breaks.`,
    )
  return Object.fromEntries(entries) as Record<string, string>
}
