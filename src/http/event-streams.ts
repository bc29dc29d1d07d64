import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'
import { type ExecutionResult, GraphQLError } from 'graphql'
import { publicAnswer, publicError } from '../gateway/answer.ts'
import type { Logger } from '../log.ts'

/** How often something is said on a stream that is quiet, so that nobody between takes it for dead. */
const KEEP_ALIVE_MS = 12_000

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
}

/** A subscription to answer: its events, and how each is answered. */
export interface Streamed {
  readonly events: AsyncIterator<unknown>
  answer(event: unknown): ExecutionResult | Promise<ExecutionResult>
  /** Where it can be followed anew: the id to begin after, then that of each event. Null where it can not. */
  readonly places: { readonly first: string | null; idOf(event: unknown): string } | null
}

interface Stream {
  readonly raw: ServerResponse
  open: boolean
}

/** The subscriptions that are being answered as GraphQL over SSE, each on a connection of its own. */
export class EventStreams {
  private readonly streams = new Map<Stream, Streamed>()
  private closed = false

  constructor(
    private readonly log: Logger,
    private readonly keepAliveMs = KEEP_ALIVE_MS,
  ) {}

  get open(): number {
    return this.streams.size
  }

  /** Sends each answer as it comes, no faster than they are read; when the reader leaves, the events end at once. */
  async send(reply: FastifyReply, streamed: Streamed): Promise<void> {
    reply.hijack()
    const stream = { raw: reply.raw, open: true }
    this.streams.set(stream, streamed)
    stream.raw.once('close', () => this.leave(stream))
    if (this.closed || stream.raw.destroyed) this.leave(stream)
    const pulse = setInterval(() => stream.raw.write(':\n\n'), this.keepAliveMs)
    try {
      stream.raw.writeHead(200, HEADERS).flushHeaders()
      await this.sendAll(stream, streamed)
      if (stream.open) stream.raw.write('event: complete\ndata:\n\n')
    } finally {
      clearInterval(pulse)
      this.leave(stream)
      stream.raw.end()
    }
  }

  /** Breaks off every stream without a word of completion: whoever reads one knows that there is more elsewhere. */
  close(): Promise<void> {
    this.closed = true
    for (const stream of this.streams.keys()) this.leave(stream)
    return Promise.resolve()
  }

  private leave(stream: Stream): void {
    stream.open = false
    void this.streams.get(stream)?.events.return?.()
    this.streams.delete(stream)
  }

  private async sendAll(stream: Stream, { events, answer, places }: Streamed): Promise<void> {
    if (places?.first) await written(stream, `id: ${places.first}\n\n`)
    while (stream.open) {
      const next = await events.next().catch((error: Error) => this.ended(error))
      if (next.done) {
        if (next.value && stream.open) await written(stream, messageOf(next.value as ExecutionResult))
        return
      }
      const result = publicAnswer(await answer(next.value), this.log)
      await written(stream, messageOf(result, places?.idOf(next.value)))
    }
  }

  /** What ends the events is told without data: it is of the subscription itself. */
  private ended(originalError: Error) {
    const error = new GraphQLError(originalError.message, { originalError })
    return { done: true as const, value: { errors: [publicError(error, this.log)] } }
  }
}

const messageOf = (result: ExecutionResult, id?: string): string =>
  `event: next\n${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(result)}\n\n`

/** Waits, where the reader is slow, until it has taken what was sent before. */
async function written({ raw, open }: Stream, text: string): Promise<void> {
  if (!open || raw.write(text)) return
  const gone = new AbortController()
  const left = () => gone.abort()
  raw.once('close', left)
  await once(raw, 'drain', { signal: gone.signal }).catch(() => undefined)
  raw.off('close', left)
}
