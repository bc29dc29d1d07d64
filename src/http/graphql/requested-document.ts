import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { GraphQLError } from 'graphql'
import { PublicError } from '../../domain/errors.ts'
import type { Gateway } from '../../gateway/gateway.ts'
import type { DocumentParams } from '../../gateway/requested-document.ts'
import { isObject } from '../../platform/is-object.ts'
import { parseUrl } from '../../platform/parse-url.ts'
import { isSafe } from '../safe-methods.ts'
import { streamCredentialsOf } from '../sse/credentials.ts'
import { paramsOf } from './request-params.ts'

type Params = Readonly<Record<string, unknown>>

/**
 * Returns which document a request wants. If it has an id or a hash, an empty text counts as none: the protocol of
 * websockets requires a text. Throws if the id or the hash is malformed.
 */
export function documentParamsOf({ query, documentId, extensions }: Params): DocumentParams {
  const ids = { documentId: validDocumentId(documentId), sha256Hash: hashIn(extensions, query) }
  if (typeof query !== 'string' || (query === '' && requestsById(ids))) return ids
  return { query, ...ids }
}

const requestsById = ({ documentId, sha256Hash }: DocumentParams): boolean =>
  documentId !== undefined || sha256Hash !== undefined

function validDocumentId(documentId: unknown): string | undefined {
  if (documentId == null || documentId === '') return undefined
  if (typeof documentId === 'string') return documentId
  throw new PublicError('bad_request', '`documentId` must be a text.')
}

/**
 * Returns the hash of an automatic persisted query. After the error code for an unknown version of the protocol,
 * clients send the query without the extension.
 */
function hashIn(extensions: unknown, query: unknown): string | undefined {
  const persisted = isObject(extensions) ? extensions['persistedQuery'] : undefined
  if (!persisted) return undefined
  const { version, sha256Hash } = isObject(persisted) ? persisted : {}
  if (version !== 1)
    throw new GraphQLError('PersistedQueryNotSupported', {
      extensions: { code: 'PERSISTED_QUERY_NOT_SUPPORTED' },
    })
  const canMatch = typeof query !== 'string' || query === '' || sha256Hash === hashOf(query)
  if (canMatch && typeof sha256Hash === 'string') return sha256Hash
  throw new PublicError(
    'bad_request',
    '`sha256Hash` must be the SHA-256 hash of the query, in lowercase hexadecimal.',
  )
}

/** Creates the hook that replaces the id or hash of a document in a request by its text. */
export function insertRequestedDocument({ authenticate, documents }: Gateway) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    try {
      const params = documentParamsOf(paramsOf(request))
      if (!requestsById(params)) return undefined
      const credentials = streamCredentialsOf(request)
      const caller = await authenticate(credentials, request.remoteAddress)
      const logContext = request.tracking?.logContext
      setQuery(request, await documents.textOf({ caller, credentials, logContext }, params))
      return undefined
    } catch (error) {
      // Client libraries expect the errors of automatic persisted queries with status 200.
      if (error instanceof GraphQLError) return reply.send({ errors: [error] })
      throw error
    }
  }
}

function setQuery(request: FastifyRequest, query: string): void {
  if (isSafe(request)) setUrlParams(request, { ...withoutHash(paramsOf(request)), query })
  else request.body = { ...withoutHash(paramsOf(request)), query }
}

function withoutHash({ documentId: _documentId, extensions, ...params }: Params): Params {
  if (!isObject(extensions)) return params
  const { persistedQuery: _persistedQuery, ...others } = extensions
  return Object.keys(others).length === 0 ? params : { ...params, extensions: others }
}

function setUrlParams(request: FastifyRequest, { query, extensions }: Params): void {
  const { raw } = request
  const url = parseUrl(raw.url ?? '/', 'http://localhost')
  if (!url) return
  url.searchParams.delete('documentId')
  url.searchParams.delete('extensions')
  url.searchParams.set('query', String(query))
  if (extensions !== undefined) url.searchParams.set('extensions', JSON.stringify(extensions))
  raw.url = url.pathname + url.search
  request.query = Object.fromEntries(url.searchParams)
}

const hashOf = (query: string): string => createHash('sha256').update(query).digest('hex')
