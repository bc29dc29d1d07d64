import { setTimeout as wait } from 'node:timers/promises'
import { type ExecutionResult, GraphQLError, type GraphQLFormattedError } from 'graphql'
import { messagesOf } from './event-stream.ts'
import { isJson, type Line } from './line.ts'
import { garbled, interrupted } from './unavailable.ts'

/** A live subgraph sends something at least every quarter of this. */
const SILENCE_MS = 50_000
const RESUME_FOR_MS = 60_000
const RESUME_EVERY_MS = 250

type Live = AsyncIterableIterator<ExecutionResult>

/**
 * The answers of a subscription that a subgraph serves as `text/event-stream` (GraphQL over SSE, distinct connections),
 * or its refusal. Where the stream breaks off it is opened anew after the last message that had an id, without a gap
 * and without a double; where it had none, the subscription ends with an error. Leaving ends the stream at once.
 */
export async function liveAnswers(line: Line, request: RequestInit): Promise<Live | ExecutionResult> {
  const gone = new AbortController()
  const first = await openStream(line, request, gone.signal, null)
  if (isJson(first)) return resultIn(line, first)
  const answers = followed(line, request, gone.signal, first)
  const leave = () => {
    gone.abort()
    return answers.return(undefined)
  }
  const live: Live = {
    next: () => answers.next(),
    return: leave,
    [Symbol.asyncIterator]: () => live,
  }
  return live
}

async function* followed(
  line: Line,
  request: RequestInit,
  gone: AbortSignal,
  first: Response,
): AsyncGenerator<ExecutionResult, undefined> {
  let lastId: string | null = null
  for (let stream: Response | null = first; stream; stream = await reopened(line, request, gone, lastId)) {
    for await (const { event, id, data } of messagesUntilBreak(stream)) {
      if (event === 'complete') return
      lastId = id ?? lastId
      if (data !== '') yield answerIn(line, data)
    }
    if (gone.aborted) return
  }
  if (!gone.aborted) throw interrupted(line.name)
}

/** A stream that breaks off, or of which nothing is heard for too long, is one that has ended. */
async function* messagesUntilBreak({ body }: Response) {
  if (!body) return
  const messages = messagesOf(body, SILENCE_MS)
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
async function reopened(
  line: Line,
  request: RequestInit,
  gone: AbortSignal,
  lastId: string | null,
): Promise<Response | null> {
  const until = performance.now() + RESUME_FOR_MS
  while (lastId !== null && !gone.aborted && performance.now() < until) {
    await wait(RESUME_EVERY_MS * (0.5 + Math.random()))
    const stream = await openStream(line, request, gone, lastId).catch(() => null)
    if (stream && isJson(stream)) throw refusalIn(await resultIn(line, stream), line)
    if (stream) return stream
  }
  return null
}

async function openStream(
  line: Line,
  request: RequestInit,
  gone: AbortSignal,
  lastId: string | null,
): Promise<Response> {
  const headers = new Headers(request.headers)
  headers.set('accept', 'text/event-stream, application/json')
  if (lastId !== null) headers.set('last-event-id', lastId)
  const response = await line.open({ ...request, headers }, gone)
  const contentType = response.headers.get('content-type') ?? ''
  if (isJson(response) || contentType.startsWith('text/event-stream')) return response
  await response.body?.cancel()
  throw garbled(line.name, new Error(`a subscription was answered with ${response.status} ${contentType}`))
}

interface Said {
  readonly data?: Record<string, unknown> | null
  readonly errors?: readonly GraphQLFormattedError[]
}

async function resultIn(line: Line, response: Response): Promise<ExecutionResult> {
  const result = readResult(line, await response.text())
  return result.errors?.length ? { errors: result.errors } : { errors: [garbled(line.name)] }
}

/** What is told without data is told of the subscription itself, and ends it. */
function answerIn(line: Line, text: string): ExecutionResult {
  const result = readResult(line, text)
  if (result.data === undefined) throw refusalIn(result, line)
  return result
}

const refusalIn = ({ errors }: ExecutionResult, line: Line): GraphQLError => errors?.[0] ?? garbled(line.name)

function readResult(line: Line, text: string): ExecutionResult {
  try {
    const { data, errors } = JSON.parse(text) as Said
    return {
      ...(data === undefined ? {} : { data }),
      ...(errors ? { errors: errors.map(({ message, ...rest }) => new GraphQLError(message, rest)) } : {}),
    }
  } catch (cause) {
    throw garbled(line.name, cause)
  }
}
