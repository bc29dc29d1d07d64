import type { Caller } from '../../../auth/caller.ts'
import { PublicError } from '../../../domain/errors.ts'
import type { PassedResponse } from '../../../providers/provider-api.ts'
import { auditedBy, recordAudit } from '../../tables/audit-log.ts'
import { toPublicError, type ProviderCallDeps, createProviderCalls } from '../../on-demand/provider-calls.ts'
import { isObject, invalidMember } from '../validate-input.ts'
import { findCallersConnection } from '../find-connection.ts'
import type { ConnectionCommandDeps } from '../command-deps.ts'

export const passthroughMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

export interface PassthroughInput {
  readonly connectionId?: string | null
  readonly method: (typeof passthroughMethods)[number]
  readonly path: string
  readonly headers?: unknown
  readonly body?: string | null
}

/** A provider's answer as it came, with what was asked. */
export interface PassthroughResult extends PassedResponse {
  readonly method: string
  readonly path: string
}

/** Passes a request to the provider of a connection, with the connection's credentials. It is sent once. */
export async function sendPassthroughRequest(
  deps: ConnectionCommandDeps & ProviderCallDeps,
  caller: Caller,
  { connectionId, method, path, headers, body }: PassthroughInput,
): Promise<PassthroughResult> {
  checkPath(path)
  checkBody(method, body)
  const checked = checkedHeaders(headers)
  const { id } = await findCallersConnection(deps.db, caller, connectionId)
  const { adapter, api } = await createProviderCalls(deps, caller).connection(id)
  if (!adapter.passthrough)
    throw new PublicError('not_implemented', 'Requests cannot be passed through to this provider.')
  const request = { method, path, headers: checked, body: body ?? null }
  const refusal = adapter.whyNotPassed?.(request)
  if (refusal) throw new PublicError('unprocessable_entity', refusal)
  if (method !== 'GET') await auditRequest(deps, caller, { connectionId: id, method, path })
  const answer = await toPublicError(api.send(request))
  return { ...answer, method, path }
}

/** Before it is sent: what the provider does cannot be undone where this fails. */
const auditRequest = (
  { db, clock }: ConnectionCommandDeps,
  caller: Caller,
  { connectionId, method, path }: PassthroughInput,
): Promise<void> =>
  db.transaction((tx) =>
    recordAudit(tx, auditedBy(caller, clock.now()), {
      action: 'passthrough.sent',
      targetId: connectionId ?? null,
      detail: { method, path: withoutIds(path) },
    }),
  )

const MAX_AUDITED_LENGTH = 255
/** A part of a path that is a word of the provider's, or the version of its API. */
const WORD = /^([a-z]+([-_.][a-z]+)*|v\d+)?$/i

/** A path without its query, and with a star in place of whatever may name a record of the fleet or be a secret. */
const withoutIds = (path: string): string =>
  path
    .replace(/\?.*$/s, '')
    .split('/')
    .map((part) => (WORD.test(part) ? part : '*'))
    .join('/')
    .slice(0, MAX_AUDITED_LENGTH)

const MAX_BYTES_OUT = 1024 * 1024
const MAX_PATH_LENGTH = 4096
/** Letters, digits and what may stand in a path or a query, so that it stays on the provider's host. */
const PATH = /^\/(?!\/)[\w\-.~!$&'()*+,;=:/?%[\]|{}"<>^`]*$/

/** A step up would lead out of the provider's API, to whatever else its host serves. */
const DOTS = /(?:^|\/)(?:\.|%2e){1,2}(?=[/?]|$)/i

function checkPath(path: string): void {
  const [place = ''] = path.split('?', 1)
  if (path.length <= MAX_PATH_LENGTH && PATH.test(path) && !DOTS.test(place)) return
  throw invalidMember(
    'path',
    '`path` must begin with one / and hold no host, no @, no \\, no #, no spaces and no `..`.',
  )
}

function checkBody(method: string, body: string | null | undefined): void {
  if (body == null) return
  if (method === 'GET') throw invalidMember('body', 'A GET has no body.')
  if (Buffer.byteLength(body) > MAX_BYTES_OUT)
    throw new PublicError('payload_too_large', '`body` may have 1 MiB at most.')
}

const NAME = /^[\w!#$%&'*+\-.^`|~]+$/
/** Visible characters, spaces and tabs: no line can be added. */
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/
const MAX_HEADERS = 50

function checkedHeaders(headers: unknown): Readonly<Record<string, string>> {
  if (headers == null) return {}
  const given = isObject(headers) ? Object.entries(headers) : null
  const fits = ([name, value]: [string, unknown]) =>
    NAME.test(name) && typeof value === 'string' && VALUE.test(value)
  if (!given || given.length > MAX_HEADERS || !given.every(fits))
    throw invalidMember('headers', '`headers` must be an object of header names and their texts.')
  return Object.fromEntries(given) as Record<string, string>
}
