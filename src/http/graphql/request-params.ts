import type { FastifyReply, FastifyRequest } from 'fastify'
import { PublicError } from '../../domain/errors.ts'
import { parseUrl } from '../../platform/parse-url.ts'
import type { Operation } from '../../gateway/operation.ts'
import { isSafe } from '../safe-methods.ts'
import { isObject } from '../../platform/is-object.ts'

type Done = (error?: Error) => void

/** Refuses a POST without a body. Apollo Server would report CSRF, because the request has no content type. */
export function requireBody({ method, body }: FastifyRequest, _reply: unknown, done: Done): void {
  if (isSafe({ method }) || body !== undefined) return done()
  done(new PublicError('bad_request', 'Send a JSON body with `query`.'))
}

/** Refuses a mutation that is not sent by POST. */
export function requirePost(request: FastifyRequest, reply: FastifyReply, { type }: Operation): void {
  if (!isSafe(request) || type !== 'mutation') return
  void reply.header('allow', 'POST')
  throw new PublicError('method_not_allowed', 'Send mutations with POST.')
}

/** Texts that mean “no value” in a URL, by parameter. Many clients send every parameter, even those without a value. */
const EMPTY_PARAM_TEXTS: Readonly<Record<string, readonly string[]>> = {
  operationName: [''],
  variables: ['', 'null'],
  extensions: ['', 'null'],
}

/** Removes parameters whose text means that they have no value. Apollo Server would refuse a request with one. */
export function dropAbsentParams({ raw, method, body }: FastifyRequest, _reply: unknown, done: Done): void {
  if (isSafe({ method })) raw.url = withoutAbsentParams(raw.url ?? '/')
  else if (isObject(body) && body['operationName'] === '') Reflect.deleteProperty(body, 'operationName')
  done()
}

function withoutAbsentParams(url: string): string {
  const parsed = parseUrl(url, 'http://localhost')
  if (!parsed) return url
  const absent = Object.entries(EMPTY_PARAM_TEXTS).filter(([name, texts]) => {
    const [text, ...others] = parsed.searchParams.getAll(name)
    return text !== undefined && others.length === 0 && texts.includes(text.trim())
  })
  if (absent.length === 0) return url
  for (const [name] of absent) parsed.searchParams.delete(name)
  return parsed.pathname + parsed.search
}

/** Returns the parameters of a request from its body or its URL, without checks. */
export function paramsOf({ method, query: search, body }: FastifyRequest): Readonly<Record<string, unknown>> {
  if (!isSafe({ method })) return isObject(body) ? body : {}
  const { query, documentId, extensions } = search as Readonly<Record<string, unknown>>
  return { query, documentId, extensions: parsedOrNull(extensions) }
}

function parsedOrNull(text: unknown): unknown {
  try {
    return JSON.parse(String(text))
  } catch {
    return null
  }
}
