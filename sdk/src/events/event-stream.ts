import { type GraphQLProblem, OdographError, OdographGraphQLError } from '../errors.ts'
import type { Event } from '../generated.ts'
import { type HeadersOf, headersFrom } from '../graphql.ts'
import { refusalOf, unanswered } from '../transport.ts'
import { type SseMessage, parseSse } from './sse-parser.ts'

/** What of the log is wanted. */
export interface EventFilter {
  readonly types?: readonly string[] | undefined
  readonly connectionIds?: readonly string[] | undefined
}

export interface StreamRequest {
  readonly fetch: typeof fetch
  readonly url: string
  readonly headers: HeadersOf
  /** `after` is the id of the event that it begins after; from now on where it is absent. */
  readonly variables: EventFilter & { readonly after?: string | undefined }
  /** How long it may say nothing. */
  readonly silenceMs: number
  readonly signal?: AbortSignal | undefined
}

/** The service speaks as soon as a stream is open: what is silent then is kept by something between. */
const FIRST_WORD_MS = 10_000

/** What is heard on a stream: an event, the place at which it begins, or only that it is open. */
export interface StreamItem {
  readonly place: string | null
  readonly event: Event | null
}

const SUBSCRIPTION = `subscription FollowEvents($after: ID, $types: [String!], $connectionIds: [ID!]) {
  events(after: $after, types: $types, connectionIds: $connectionIds) { id type timestamp detail }
}`

/**
 * The log as the service streams it (GraphQL over SSE), until the stream ends. Gives null where it was only broken
 * off, else why there is none.
 */
export async function* eventStream(
  asked: StreamRequest,
): AsyncGenerator<StreamItem, OdographError | null, undefined> {
  const { silenceMs, signal } = asked
  const left = new AbortController()
  let isOpen = false
  try {
    const both = signal ? AbortSignal.any([signal, left.signal]) : left.signal
    const answer = await unlessSilent(opened(asked, both), Math.min(silenceMs, FIRST_WORD_MS))
    for await (const message of parseSse(textsIn(answer, silenceMs))) {
      isOpen = true
      yield { place: message.id, event: eventIn(message, answer) }
      if (message.event === 'complete') return null
    }
    return isOpen ? null : new OdographError('unreadable_answer', 'The stream ended before it began.')
  } catch (cause) {
    signal?.throwIfAborted()
    const error = cause instanceof OdographError ? cause : unanswered(cause)
    return isOpen && error.status === null ? null : error
  } finally {
    left.abort()
  }
}

async function opened(
  { fetch, url, headers, variables }: StreamRequest,
  signal: AbortSignal,
): Promise<Response> {
  const answer = await fetch(url, {
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
  if (answer.ok && answer.headers.get('content-type')?.startsWith('text/event-stream')) return answer
  const { status, headers: told } = answer
  throw refusalOf({ status, headers: told, bytes: new Uint8Array(await answer.arrayBuffer()) })
}

async function* textsIn({ body }: Response, silenceMs: number): AsyncGenerator<string, void, undefined> {
  if (!body) return
  const reader = body.getReader()
  const decoder = new TextDecoder()
  for (let patienceMs = Math.min(silenceMs, FIRST_WORD_MS); ; patienceMs = silenceMs) {
    const { done, value } = await unlessSilent(reader.read(), patienceMs)
    if (done) return
    yield decoder.decode(value, { stream: true })
  }
}

/** A connection that is dead without a word, or that something between keeps to itself, is noticed by its silence. */
async function unlessSilent<Told>(told: Promise<Told>, ms: number): Promise<Told> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const silence = new Promise<never>((_, fail) => {
    timer = setTimeout(
      () => fail(new OdographError('timed_out', `The stream said nothing for ${ms} ms.`)),
      ms,
    )
  })
  try {
    return await Promise.race([told, silence])
  } finally {
    clearTimeout(timer)
  }
}

interface Answer {
  readonly data?: { readonly events?: Event } | null
  readonly errors?: readonly GraphQLProblem[]
}

function eventIn({ event, data }: SseMessage, { status, headers }: Response): Event | null {
  if (event !== 'next' || data === null) return null
  const requestId = headers.get('x-request-id')
  const { data: given, errors } = parsed(data) as Answer
  if (given?.events) return given.events
  throw new OdographGraphQLError(errors ?? [], given ?? null, { status, requestId })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}
