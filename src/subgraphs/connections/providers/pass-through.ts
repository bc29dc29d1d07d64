import type { Caller } from '../../../auth/caller.ts'
import { PublicError } from '../../../errors.ts'
import type { PassedResponse } from '../../../providers/api.ts'
import { by, remember } from '../../audit.ts'
import { asked, type LiveFrom, liveReads } from '../../live.ts'
import { isObject, refused } from '../check-input.ts'
import { meantConnection } from '../meant-connection.ts'
import type { ConnectionWritesFrom } from '../writes-from.ts'

export const passedMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

export interface PassthroughInput {
  readonly connectionId?: string | null
  readonly method: (typeof passedMethods)[number]
  readonly path: string
  readonly headers?: unknown
  readonly body?: string | null
}

/** A provider's answer as it came, with what was asked. */
export interface PassedAnswer extends PassedResponse {
  readonly method: string
  readonly path: string
}

/** Passes a request to the provider of a connection, with the connection's credentials. It is sent once. */
export async function passThrough(
  from: ConnectionWritesFrom & LiveFrom,
  caller: Caller,
  { connectionId, method, path, headers, body }: PassthroughInput,
): Promise<PassedAnswer> {
  checkPath(path)
  checkBody(method, body)
  const checked = checkedHeaders(headers)
  const { id } = await meantConnection(from.db, caller, connectionId)
  const { adapter, api } = await liveReads(from, caller).connection(id)
  if (!adapter.passthrough)
    throw new PublicError('not_implemented', 'Requests cannot be passed through to this provider.')
  const request = { method, path, headers: checked, body: body ?? null }
  const refusal = adapter.refusalOf?.(request)
  if (refusal) throw new PublicError('unprocessable_entity', refusal)
  if (method !== 'GET') await rememberRequest(from, caller, { connectionId: id, method, path })
  const answer = await asked(api.send(request))
  return { ...answer, method, path }
}

/** Before it is sent: what the provider does cannot be undone where this fails. */
const rememberRequest = (
  { db, clock }: ConnectionWritesFrom,
  caller: Caller,
  { connectionId, method, path }: PassthroughInput,
): Promise<void> =>
  db.transaction((tx) =>
    remember(tx, by(caller, clock.now()), {
      action: 'passthrough.sent',
      targetId: connectionId ?? null,
      detail: { method, path: withoutIds(path) },
    }),
  )

const MOST_TOLD = 255
/** A part of a path that is a word of the provider's, or the version of its API. */
const WORD = /^([a-z]+([-_.][a-z]+)*|v\d+)?$/i

/** A path without its query, and with a star in place of whatever may name a record of the fleet or be a secret. */
const withoutIds = (path: string): string =>
  path
    .replace(/\?.*$/s, '')
    .split('/')
    .map((part) => (WORD.test(part) ? part : '*'))
    .join('/')
    .slice(0, MOST_TOLD)

const MOST_BYTES_OUT = 1024 * 1024
const LONGEST_PATH = 4096
/** Letters, digits and what may stand in a path or a query, so that it stays on the provider's host. */
const PATH = /^\/(?!\/)[\w\-.~!$&'()*+,;=:/?%[\]|{}"<>^`]*$/

/** A step up would lead out of the provider's API, to whatever else its host serves. */
const DOTS = /(?:^|\/)(?:\.|%2e){1,2}(?=[/?]|$)/i

function checkPath(path: string): void {
  const [place = ''] = path.split('?', 1)
  if (path.length <= LONGEST_PATH && PATH.test(path) && !DOTS.test(place)) return
  throw refused(
    'path',
    '`path` must begin with one / and hold no host, no @, no \\, no #, no spaces and no `..`.',
  )
}

function checkBody(method: string, body: string | null | undefined): void {
  if (body == null) return
  if (method === 'GET') throw refused('body', 'A GET has no body.')
  if (Buffer.byteLength(body) > MOST_BYTES_OUT)
    throw new PublicError('payload_too_large', '`body` may have 1 MiB at most.')
}

const NAME = /^[\w!#$%&'*+\-.^`|~]+$/
/** Visible characters, spaces and tabs: no line can be added. */
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/
const MOST_HEADERS = 50

function checkedHeaders(headers: unknown): Readonly<Record<string, string>> {
  if (headers == null) return {}
  const given = isObject(headers) ? Object.entries(headers) : null
  const fits = ([name, value]: [string, unknown]) =>
    NAME.test(name) && typeof value === 'string' && VALUE.test(value)
  if (!given || given.length > MOST_HEADERS || !given.every(fits))
    throw refused('headers', '`headers` must be an object of header names and their texts.')
  return Object.fromEntries(given) as Record<string, string>
}
