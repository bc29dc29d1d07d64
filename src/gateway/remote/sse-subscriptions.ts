import { setTimeout as wait } from 'node:timers/promises'
import { type ExecutionResult, GraphQLError, type GraphQLFormattedError } from 'graphql'
import { parseSse } from './sse-parser.ts'
import { isEventStream, isJson, type SubgraphClient } from './subgraph-client.ts'
import { invalidResponse, interrupted } from './errors.ts'

/**
 * Silence after which a stream counts as broken. A working subgraph sends data at least four times within it.
 */
const IDLE_TIMEOUT_MS = 50_000
/** Maximum time for reopening a broken stream. */
const REOPEN_TIMEOUT_MS = 60_000
/** Mean wait before an attempt to reopen a stream. */
const REOPEN_INTERVAL_MS = 250

type OpenedStream = AsyncIterableIterator<ExecutionResult>

/**
 * Opens a subscription of a remote subgraph as `text/event-stream` (GraphQL over SSE, distinct connections).
 * Returns the stream of results, or the error result. A broken stream is reopened after the last message id, so the
 * caller misses no result and gets none twice. If no message had an id, the subscription ends with an error. `return`
 * closes the stream at once.
 */
export async function subscribeOverSse(
  client: SubgraphClient,
  request: RequestInit,
): Promise<OpenedStream | ExecutionResult> {
  const controller = new AbortController()
  const first = await openStream(client, request, controller.signal, null)
  if (isJson(first)) return errorResultIn(client, first)
  const results = withReconnect(client, request, controller.signal, first)
  const close = () => {
    controller.abort()
    return results.return(undefined)
  }
  const live: OpenedStream = {
    next: () => results.next(),
    return: close,
    [Symbol.asyncIterator]: () => live,
  }
  return live
}

async function* withReconnect(
  client: SubgraphClient,
  request: RequestInit,
  signal: AbortSignal,
  first: Response,
): AsyncGenerator<ExecutionResult, undefined> {
  let lastId: string | null = null
  for (
    let stream: Response | null = first;
    stream;
    stream = await reopenStream(client, request, signal, lastId)
  ) {
    for await (const { event, id, data } of untilDisconnect(stream)) {
      if (event === 'complete') return
      lastId = id ?? lastId
      if (data !== '') yield nextResultIn(client, data)
    }
    if (signal.aborted) return
  }
  if (!signal.aborted) throw interrupted(client.name)
}

/** Yields the messages until the stream ends, breaks or stays silent for too long. */
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

/**
 * Reopens the stream after a message id, retrying for up to a minute. Null without an id, after an abort, or if the
 * subgraph does not answer.
 */
async function reopenStream(
  client: SubgraphClient,
  request: RequestInit,
  signal: AbortSignal,
  lastId: string | null,
): Promise<Response | null> {
  const until = performance.now() + REOPEN_TIMEOUT_MS
  while (lastId !== null && !signal.aborted && performance.now() < until) {
    await wait(REOPEN_INTERVAL_MS * (0.5 + Math.random()))
    const stream = await openStream(client, request, signal, lastId).catch(() => null)
    if (stream && isJson(stream)) throw firstErrorIn(await errorResultIn(client, stream), client)
    if (stream) return stream
  }
  return null
}

async function openStream(
  client: SubgraphClient,
  request: RequestInit,
  signal: AbortSignal,
  lastId: string | null,
): Promise<Response> {
  const headers = new Headers(request.headers)
  headers.set('accept', 'text/event-stream, application/json')
  if (lastId !== null) headers.set('last-event-id', lastId)
  const response = await client.open({ ...request, headers }, signal)
  if (isJson(response) || isEventStream(response)) return response
  await response.body?.cancel()
  const contentType = response.headers.get('content-type') ?? ''
  throw invalidResponse(
    client.name,
    new Error(`the subscription request returned ${response.status} ${contentType}`),
  )
}

interface ParsedResult {
  readonly data?: Record<string, unknown> | null
  readonly errors?: readonly GraphQLFormattedError[]
}

/** Returns the errors of a JSON response. A subscription that starts has a stream, so JSON means that it failed. */
async function errorResultIn(client: SubgraphClient, response: Response): Promise<ExecutionResult> {
  const result = readResult(client, await response.text())
  return result.errors?.length ? { errors: result.errors } : { errors: [invalidResponse(client.name)] }
}

/** Parses the next result. A message without `data` is an error of the subscription itself, and ends it. */
function nextResultIn(client: SubgraphClient, text: string): ExecutionResult {
  const result = readResult(client, text)
  if (result.data === undefined) throw firstErrorIn(result, client)
  return result
}

const firstErrorIn = ({ errors }: ExecutionResult, client: SubgraphClient): GraphQLError =>
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
