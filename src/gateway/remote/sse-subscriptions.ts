import { setTimeout as wait } from 'node:timers/promises'
import { type ExecutionResult, GraphQLError, type GraphQLFormattedError } from 'graphql'
import { parseSse } from './sse-parser.ts'
import { isJson, type SubgraphClient } from './subgraph-client.ts'
import { invalidResponse, interrupted } from './errors.ts'

/** A live subgraph sends something at least every quarter of this. */
const IDLE_TIMEOUT_MS = 50_000
const RESUME_FOR_MS = 60_000
const RESUME_EVERY_MS = 250

type OpenedStream = AsyncIterableIterator<ExecutionResult>

/**
 * The answers of a subscription that a subgraph serves as `text/event-stream` (GraphQL over SSE, distinct connections),
 * or its refusal. Where the stream breaks off it is opened anew after the last message that had an id, without a gap
 * and without a double; where it had none, the subscription ends with an error. Leaving ends the stream at once.
 */
export async function subscribeOverSse(
  client: SubgraphClient,
  request: RequestInit,
): Promise<OpenedStream | ExecutionResult> {
  const gone = new AbortController()
  const first = await openStream(client, request, gone.signal, null)
  if (isJson(first)) return resultIn(client, first)
  const answers = withReconnect(client, request, gone.signal, first)
  const leave = () => {
    gone.abort()
    return answers.return(undefined)
  }
  const live: OpenedStream = {
    next: () => answers.next(),
    return: leave,
    [Symbol.asyncIterator]: () => live,
  }
  return live
}

async function* withReconnect(
  client: SubgraphClient,
  request: RequestInit,
  gone: AbortSignal,
  first: Response,
): AsyncGenerator<ExecutionResult, undefined> {
  let lastId: string | null = null
  for (
    let stream: Response | null = first;
    stream;
    stream = await reopenStream(client, request, gone, lastId)
  ) {
    for await (const { event, id, data } of untilDisconnect(stream)) {
      if (event === 'complete') return
      lastId = id ?? lastId
      if (data !== '') yield nextResultIn(client, data)
    }
    if (gone.aborted) return
  }
  if (!gone.aborted) throw interrupted(client.name)
}

/** A stream that breaks off, or of which nothing is heard for too long, is one that has ended. */
async function* untilDisconnect({ body }: Response) {
  if (!body) return
  const messages = parseSse(body, IDLE_TIMEOUT_MS)
  try {
    for (;;) {
      const { done, value } = await messages.next().catch(() => BROKEN)
      if (done) return
      yield value
    }
  } finally {
    await messages.return(undefined)
  }
}

const BROKEN = { done: true, value: undefined } as const

/** The stream after a message, as soon as a subgraph answers; null where nobody knows from where. */
async function reopenStream(
  client: SubgraphClient,
  request: RequestInit,
  gone: AbortSignal,
  lastId: string | null,
): Promise<Response | null> {
  const until = performance.now() + RESUME_FOR_MS
  while (lastId !== null && !gone.aborted && performance.now() < until) {
    await wait(RESUME_EVERY_MS * (0.5 + Math.random()))
    const stream = await openStream(client, request, gone, lastId).catch(() => null)
    if (stream && isJson(stream)) throw errorsIn(await resultIn(client, stream), client)
    if (stream) return stream
  }
  return null
}

async function openStream(
  client: SubgraphClient,
  request: RequestInit,
  gone: AbortSignal,
  lastId: string | null,
): Promise<Response> {
  const headers = new Headers(request.headers)
  headers.set('accept', 'text/event-stream, application/json')
  if (lastId !== null) headers.set('last-event-id', lastId)
  const response = await client.open({ ...request, headers }, gone)
  const contentType = response.headers.get('content-type') ?? ''
  if (isJson(response) || contentType.startsWith('text/event-stream')) return response
  await response.body?.cancel()
  throw invalidResponse(
    client.name,
    new Error(`a subscription was answered with ${response.status} ${contentType}`),
  )
}

interface ParsedResult {
  readonly data?: Record<string, unknown> | null
  readonly errors?: readonly GraphQLFormattedError[]
}

async function resultIn(client: SubgraphClient, response: Response): Promise<ExecutionResult> {
  const result = readResult(client, await response.text())
  return result.errors?.length ? { errors: result.errors } : { errors: [invalidResponse(client.name)] }
}

/** What is told without data is told of the subscription itself, and ends it. */
function nextResultIn(client: SubgraphClient, text: string): ExecutionResult {
  const result = readResult(client, text)
  if (result.data === undefined) throw errorsIn(result, client)
  return result
}

const errorsIn = ({ errors }: ExecutionResult, client: SubgraphClient): GraphQLError =>
  errors?.[0] ?? invalidResponse(client.name)

function readResult(client: SubgraphClient, text: string): ExecutionResult {
  try {
    const { data, errors } = JSON.parse(text) as ParsedResult
    return {
      ...(data === undefined ? {} : { data }),
      ...(errors ? { errors: errors.map(({ message, ...rest }) => new GraphQLError(message, rest)) } : {}),
    }
  } catch (cause) {
    throw invalidResponse(client.name, cause)
  }
}
