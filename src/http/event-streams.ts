import type { FastifyReply } from 'fastify'
import { GraphQLError } from 'graphql'
import { publicError } from '../gateway/answer.ts'
import type { Following } from '../gateway/follow.ts'
import type { Logger } from '../log.ts'
import { EventStream, type WhileStalled } from './streams/event-stream.ts'

/** A subscription to answer: its events, and how each is answered, as JSON. */
export interface Streamed {
  readonly events: AsyncIterator<unknown>
  answered(event: unknown): Promise<string>
  /** Where it can be followed anew: the id to begin after, then that of each event. Null where it can not. */
  readonly places: { readonly first: string | null; idOf(event: unknown): string } | null
  /** Where there is a limit to what may wait for a reader. */
  readonly whileStalled?: WhileStalled | undefined
}

/** How answers are told: on a stream of their own, or with the id of their operation. */
export interface Wording {
  next(answer: string, eventId: string | undefined): string
  readonly complete: string
}

const alone: Wording = {
  next: (answer, id) => `event: next\n${id === undefined ? '' : `id: ${id}\n`}data: ${answer}\n\n`,
  complete: 'event: complete\ndata:\n\n',
}

/** A subscription of a gateway as it is streamed. */
export async function streamed({ events, answered, log }: Following): Promise<Streamed> {
  const places = log && { first: await log.startsAfter(), idOf: log.idOf.bind(log) }
  return { events, answered, places, whileStalled: log?.whileStalled.bind(log) }
}

/** The subscriptions that are being answered as GraphQL over SSE, each on a connection of its own. */
export class EventStreams {
  private readonly streams = new Map<EventStream, AsyncIterator<unknown>>()
  private closed = false

  constructor(
    private readonly log: Logger,
    private readonly keepAliveMs?: number,
  ) {}

  get open(): number {
    return this.streams.size
  }

  /** Sends each answer as it comes, no faster than they are read; when the reader leaves, the events end at once. */
  async send(reply: FastifyReply, streamed: Streamed): Promise<void> {
    const stream = new EventStream(reply, this.keepAliveMs)
    this.streams.set(stream, streamed.events)
    stream.onceClosed(() => this.leave(stream))
    if (this.closed) this.leave(stream)
    try {
      stream.begin()
      if (streamed.places?.first) await stream.write(`id: ${streamed.places.first}\n\n`)
      const isComplete = await sendAnswers(stream, streamed, alone, this.log)
      if (isComplete && this.streams.has(stream)) await stream.write(alone.complete)
    } finally {
      this.leave(stream)
      stream.end()
    }
  }

  /** Sends the one answer to what is no subscription, or a refusal. */
  async sendOnce(reply: FastifyReply, answer: unknown): Promise<void> {
    const stream = new EventStream(reply, this.keepAliveMs)
    stream.begin()
    await stream.write(alone.next(JSON.stringify(answer), undefined) + alone.complete)
    stream.end()
  }

  /** Breaks off every stream without a word of completion: whoever reads one knows that there is more elsewhere. */
  close(): Promise<void> {
    this.closed = true
    for (const stream of this.streams.keys()) this.leave(stream)
    return Promise.resolve()
  }

  private leave(stream: EventStream): void {
    const events = this.streams.get(stream)
    this.streams.delete(stream)
    void events?.return?.()
  }
}

/** Sends all answers of one subscription; gives whether it came to its end. */
export async function sendAnswers(
  stream: EventStream,
  { events, answered, places, whileStalled }: Streamed,
  wording: Wording,
  log: Logger,
): Promise<boolean> {
  while (stream.open) {
    const next = await events.next().catch((error: Error) => ended(error, log))
    if (next.done) {
      const last: unknown = next.value
      if (last) await stream.write(wording.next(JSON.stringify(last), undefined))
      return true
    }
    const answer = await answered(next.value)
    await stream.write(wording.next(answer, places?.idOf(next.value)), whileStalled)
  }
  return false
}

/** What ends the events is told without data: it is of the subscription itself. */
function ended(originalError: Error, log: Logger) {
  const error =
    originalError instanceof GraphQLError
      ? originalError
      : new GraphQLError(originalError.message, { originalError })
  return { done: true as const, value: { errors: [publicError(error, log)] } }
}
