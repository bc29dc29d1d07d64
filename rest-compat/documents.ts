import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { PublicError } from '../src/domain/errors.ts'
import type { Gateway } from '../src/gateway/gateway.ts'
import { eventJsonSchemas } from './openapi/event-json-schemas.ts'
import type { EventDeclarations } from './openapi/event-schemas.ts'
import { openApi } from './openapi/openapi.ts'
import { routes } from './routes.ts'

export interface DocumentOptions {
  readonly gateway: Gateway
  readonly eventTypes: EventDeclarations
  /** Path of the public URL, for the OpenAPI document. A proxy removes it from the requests. */
  readonly basePath?: string
}

/** Handlers of the documents that describe the API. They need no key. */
export interface DocumentHandlers {
  readonly openApi: DocumentHandler
  /** JSON Schema of any event. */
  readonly events: DocumentHandler
  /** JSON Schema of the events of the type in the path. */
  readonly event: DocumentHandler
}

type DocumentHandler = (request: FastifyRequest, reply: FastifyReply) => FastifyReply

/** Creates the handlers. The first request builds the documents. */
export function createDocumentHandlers(options: DocumentOptions): DocumentHandlers {
  const documents = once(() => buildDocuments(options))
  return {
    openApi: (request, reply) => send(documents().openApi, request, reply),
    events: (request, reply) => send(documents().events, request, reply),
    event: (request, reply) => {
      const { type } = request.params as { readonly type: string }
      const document = documents().event.get(type)
      if (!document) throw new PublicError('not_found', 'There is no such event type.')
      return send(document, request, reply)
    },
  }
}

function buildDocuments({
  gateway: { ownSupergraph, scopesOf },
  eventTypes,
  basePath = '',
}: DocumentOptions) {
  const document = openApi(routes, ownSupergraph.apiSchema, eventTypes, scopesOf, basePath)
  const { any, byType } = eventJsonSchemas(document)
  return {
    openApi: documentOf(document),
    events: documentOf(any),
    event: new Map([...byType].map(([type, schema]) => [type, documentOf(schema)])),
  }
}

function once<Value>(build: () => Value): () => Value {
  let built: { readonly value: Value } | null = null
  return () => (built ??= { value: build() }).value
}

interface Document {
  readonly text: string
  readonly etag: string
}

function documentOf(value: unknown): Document {
  const text = JSON.stringify(value)
  return { text, etag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"` }
}

function send({ text, etag }: Document, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.isCompressible = true
  void reply.header('etag', etag).header('cache-control', 'no-cache')
  if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send()
  return reply.header('content-type', 'application/json; charset=utf-8').send(text)
}

/** Whether an If-None-Match header contains the ETag. `*` means any version. */
const matchesEtag = (header: string | undefined, etag: string): boolean =>
  header !== undefined && (header.trim() === '*' || header.includes(etag))
