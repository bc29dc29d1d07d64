import { type GraphQLProblem, OdographError, OdographGraphQLError } from '../errors.ts'
import type { Event } from '../generated.ts'
import { type HeadersOf, headersFrom } from '../graphql.ts'
import { addressOf, refusalOf, unreachable } from '../transport.ts'
import { type SseMessage, parseSse } from './sse-parser.ts'

/** Filter of the event log. */
export interface EventFilter {
  readonly types?: readonly string[] | undefined
  readonly connectionIds?: readonly string[] | undefined
}

export interface StreamRequest {
  readonly fetch: typeof fetch
  readonly url: string
  readonly headers: HeadersOf
  /** The stream starts after the event `after`, or from now on without it. */
  readonly variables: EventFilter & { readonly after?: string | undefined }
  /** Maximum time without a message. */
  readonly silenceMs: number
  readonly signal?: AbortSignal | undefined
}

/**
 * Maximum wait for the first message. The service sends a message as soon as a stream opens. If none arrives, an
 * intermediary such as a buffering proxy holds the stream back.
 */
const FIRST_MESSAGE_MS = 10_000

/** Item of a stream: an event, the start position of the stream, or a keep-alive without either. */
export interface StreamItem {
  readonly position: string | null
  readonly event: Event | null
}

const SUBSCRIPTION = `subscription FollowEvents($after: ID, $types: [String!], $connectionIds: [ID!]) {
  events(after: $after, types: $types, connectionIds: $connectionIds) { id type timestamp detail }
}`

/**
 * Streams the event log (GraphQL over SSE) until the stream ends. Returns null if the stream was open and then ended or
 * broke off. Returns an error if the stream did not open or the service reported an error.
 */
export async function* eventStream(
  request: StreamRequest,
): AsyncGenerator<StreamItem, OdographError | null, undefined> {
  const { silenceMs, signal } = request
  const closing = new AbortController()
  let isOpen = false
  try {
    const both = signal ? AbortSignal.any([signal, closing.signal]) : closing.signal
    const response = await unlessSilent(opened(request, both), Math.min(silenceMs, FIRST_MESSAGE_MS))
    for await (const message of parseSse(textsIn(response, silenceMs))) {
      isOpen = true
      yield { position: message.id, event: eventIn(message, response) }
      if (message.event === 'complete') return null
    }
    return isOpen ? null : new OdographError('unreadable_answer', 'The stream ended without a message.')
  } catch (cause) {
    signal?.throwIfAborted()
    const error = cause instanceof OdographError ? cause : unreachable(addressOf('POST', request.url), cause)
    return isOpen && error.status === null ? null : error
  } finally {
    closing.abort()
  }
}

async function opened(
  { fetch, url, headers, variables }: StreamRequest,
  signal: AbortSignal,
): Promise<Response> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      ...(await headersFrom(headers)),
      'content-type': 'application/json',
      accept: 'text/event-stream',
    },
    body: JSON.stringify({ query: SUBSCRIPTION, variables }),
    redirect: 'error',
    cache: 'no-store',
    signal,
  })
  if (response.ok && response.headers.get('content-type')?.startsWith('text/event-stream')) return response
  throw refusalOf({
    address: addressOf('POST', url),
    status: response.status,
    headers: response.headers,
    bytes: new Uint8Array(await response.arrayBuffer()),
  })
}

async function* textsIn({ body }: Response, silenceMs: number): AsyncGenerator<string, void, undefined> {
  if (!body) return
  const reader = body.getReader()
  const decoder = new TextDecoder()
  for (let timeoutMs = Math.min(silenceMs, FIRST_MESSAGE_MS); ; timeoutMs = silenceMs) {
    const { done, value } = await unlessSilent(reader.read(), timeoutMs)
    if (done) return
    yield decoder.decode(value, { stream: true })
  }
}

/**
 * Returns the result of `next`, or rejects if there is none after `ms`. Such a silence means that the connection is
 * dead, or that an intermediary holds back messages.
 */
async function unlessSilent<Value>(next: Promise<Value>, ms: number): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const silence = new Promise<never>((_, fail) => {
    timer = setTimeout(
      () => fail(new OdographError('timed_out', `The stream sent nothing for ${ms} ms.`)),
      ms,
    )
  })
  try {
    return await Promise.race([next, silence])
  } finally {
    clearTimeout(timer)
  }
}

interface GraphQLResponse {
  readonly data?: { readonly events?: Event } | null
  readonly errors?: readonly GraphQLProblem[]
}

function eventIn({ event, data }: SseMessage, { url, status, headers }: Response): Event | null {
  if (event !== 'next' || data === null) return null
  const requestId = headers.get('x-request-id')
  const response = parsed(data) as GraphQLResponse
  if (response.data?.events) return response.data.events
  throw new OdographGraphQLError(response.errors ?? [], response.data ?? null, {
    status,
    address: addressOf('POST', url),
    requestId,
  })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}
