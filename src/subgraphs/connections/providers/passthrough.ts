import { isObject } from '../../../providers/mapping/is-object.ts'
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
  const checked = checkedHeaders(headers)
  const { id } = await findCallersConnection(deps.db, caller, connectionId)
  const { adapter, api } = await createProviderCalls(deps, caller).connection(id)
  if (!adapter.passthrough)
    throw new PublicError('not_implemented', 'Requests cannot be passed through to this provider.')
  const request = { method, path, headers: checked, body: body ?? null }
  const refusal = adapter.passthroughRefusal?.(request)
  if (refusal) throw new PublicError('unprocessable_entity', refusal)
  if (method !== 'GET') await auditRequest(deps, caller, { connectionId: id, method, path })
  const response = await withPublicErrors(api.send(request))
  return { ...response, method, path }
}

/** Records the request before it is sent: if the audit fails, nothing has happened at the provider. */
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
const WORD = /^([a-z]+([-_.][a-z]+)*|v\d+)?$/i

/**
 * Returns the path without its query. A star replaces each segment that may identify a record of the fleet or
 * be a secret.
 */
const withoutIds = (path: string): string =>
  path
    .replace(/\?.*$/s, '')
    .split('/')
    .map((part) => (WORD.test(part) ? part : '*'))
    .join('/')
    .slice(0, MAX_AUDITED_LENGTH)

const MAX_BYTES_OUT = 1024 * 1024
const MAX_PATH_LENGTH = 4096
/** The characters that a path or query may contain, so that the request stays on the host of the provider. */
const PATH = /^\/(?!\/)[\w\-.~!$&'()*+,;=:/?%[\]|{}"<>^`]*$/

/** A `..` segment would lead out of the API of the provider, to other resources of its host. */
const DOTS = /(?:^|\/)(?:\.|%2e){1,2}(?=[/?]|$)/i

function checkPath(path: string): void {
  const [pathname = ''] = path.split('?', 1)
  if (path.length <= MAX_PATH_LENGTH && PATH.test(path) && !DOTS.test(pathname)) return
  throw invalidMember(
    'path',
    '`path` must begin with one / and hold no host, no @, no \\, no #, no spaces and no `..`.',
  )
}

function checkBody(method: string, body: string | null | undefined): void {
  if (body == null) return
  if (method === 'GET') throw invalidMember('body', 'A GET has no body.')
  if (Buffer.byteLength(body) > MAX_BYTES_OUT)
    throw new PublicError('payload_too_large', '`body` may have at most 1 MiB.')
}

const NAME = /^[\w!#$%&'*+\-.^`|~]+$/
/** Visible characters, spaces and tabs: a value cannot add a header line. */
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/
const MAX_HEADERS = 50

function checkedHeaders(headers: unknown): Readonly<Record<string, string>> {
  if (headers == null) return {}
  const given = isObject(headers) ? Object.entries(headers) : null
  const fits = ([name, value]: [string, unknown]) =>
    NAME.test(name) && typeof value === 'string' && VALUE.test(value)
  if (!given || given.length > MAX_HEADERS || !given.every(fits))
    throw invalidMember('headers', '`headers` must be an object of strings by header name.')
  return Object.fromEntries(given) as Record<string, string>
}
