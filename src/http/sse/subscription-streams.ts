import type { FastifyReply } from 'fastify'
import { GraphQLError } from 'graphql'
import { maskError } from '../../gateway/error-masking.ts'
import type { ActiveSubscription } from '../../gateway/subscriptions.ts'
import type { Logger } from '../../platform/logging/log.ts'
import { SseConnection, type OnStall } from './sse-connection.ts'

/** A subscription to answer: its events, and how each is answered, as JSON. */
export interface SubscriptionStream {
  readonly events: AsyncIterator<unknown>
  answered(event: unknown): Promise<string>
  /** Where it can be followed anew: the id to begin after, then that of each event. Null where it can not. */
  readonly places: { readonly first: string | null; idOf(event: unknown): string } | null
  /** Where there is a limit to what may wait for a reader. */
  readonly onStall?: OnStall | undefined
}

/** How answers are told: on a stream of their own, or with the id of their operation. */
export interface ResultFormat {
  next(answer: string, eventId: string | undefined): string
  readonly complete: string
}

const plainFormat: ResultFormat = {
  next: (answer, id) => `event: next\n${id === undefined ? '' : `id: ${id}\n`}data: ${answer}\n\n`,
  complete: 'event: complete\ndata:\n\n',
}

/** A subscription of a gateway as it is streamed. */
export async function toSubscriptionStream({
  events,
  answerTo,
  log,
}: ActiveSubscription): Promise<SubscriptionStream> {
  const places = log && { first: await log.startsAfter(), idOf: log.idOf.bind(log) }
  return { events, answered: answerTo, places, onStall: log?.onStall.bind(log) }
}

/** The subscriptions that are being answered as GraphQL over SSE, each on a connection of its own. */
export class SubscriptionStreams {
  private readonly streams = new Map<SseConnection, AsyncIterator<unknown>>()
  private closed = false

  constructor(
    private readonly log: Logger,
    private readonly keepAliveMs?: number,
  ) {}

  get open(): number {
    return this.streams.size
  }

  /** Sends each answer as it comes, no faster than they are read; when the reader leaves, the events end at once. */
  async send(reply: FastifyReply, toSubscriptionStream: SubscriptionStream): Promise<void> {
    const stream = new SseConnection(reply, this.keepAliveMs)
    this.streams.set(stream, toSubscriptionStream.events)
    stream.onceClosed(() => this.leave(stream))
    if (this.closed) this.leave(stream)
    try {
      stream.begin()
      if (toSubscriptionStream.places?.first)
        await stream.write(`id: ${toSubscriptionStream.places.first}\n\n`)
      const isComplete = await sendAnswers(stream, toSubscriptionStream, plainFormat, this.log)
      if (isComplete && this.streams.has(stream)) await stream.write(plainFormat.complete)
    } finally {
      this.leave(stream)
      stream.end()
    }
  }

  /** Sends the one answer to what is no subscription, or a refusal. */
  async sendOnce(reply: FastifyReply, answer: unknown): Promise<void> {
    const stream = new SseConnection(reply, this.keepAliveMs)
    stream.begin()
    await stream.write(plainFormat.next(JSON.stringify(answer), undefined) + plainFormat.complete)
    stream.end()
  }

  /** Breaks off every stream without a word of completion: whoever reads one knows that there is more elsewhere. */
  close(): Promise<void> {
    this.closed = true
    for (const stream of this.streams.keys()) this.leave(stream)
    return Promise.resolve()
  }

  private leave(stream: SseConnection): void {
    const events = this.streams.get(stream)
    this.streams.delete(stream)
    void events?.return?.()
  }
}

/** Sends all answers of one subscription; gives whether it came to its end. */
export async function sendAnswers(
  stream: SseConnection,
  { events, answered, places, onStall }: SubscriptionStream,
  format: ResultFormat,
  log: Logger,
): Promise<boolean> {
  while (stream.open) {
    const next = await events.next().catch((error: Error) => ended(error, log))
    if (next.done) {
      const last: unknown = next.value
      if (last) await stream.write(format.next(JSON.stringify(last), undefined))
      return true
    }
    const answer = await answered(next.value)
    await stream.write(format.next(answer, places?.idOf(next.value)), onStall)
  }
  return false
}

/** What ends the events is told without data: it is of the subscription itself. */
function ended(originalError: Error, log: Logger) {
  const error =
    originalError instanceof GraphQLError
      ? originalError
      : new GraphQLError(originalError.message, { originalError })
  return { done: true as const, value: { errors: [maskError(error, log)] } }
}
