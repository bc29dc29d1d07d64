import type { Caller } from '../../../auth/caller.ts'
import { PublicError } from '../../../errors.ts'
import type { PassedResponse } from '../../../providers/api.ts'
import { asked, type LiveFrom, liveReads } from '../../live.ts'
import { isObject, refused } from '../check-input.ts'
import { meantConnection } from '../meant-connection.ts'

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
  from: LiveFrom,
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
  const answer = await asked(api.send({ method, path, headers: checked, body: body ?? null }))
  return { ...answer, method, path }
}

const MOST_BYTES_OUT = 1024 * 1024
const LONGEST_PATH = 4096
/** Letters, digits and what may stand in a path or a query, so that it stays on the provider's host. */
const PATH = /^\/(?!\/)[\w\-.~!$&'()*+,;=:/?%[\]|{}"<>^`]*$/

function checkPath(path: string): void {
  if (path.length <= LONGEST_PATH && PATH.test(path)) return
  throw refused('path', '`path` must begin with one / and hold no host, no @, no \\, no # and no spaces.')
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
