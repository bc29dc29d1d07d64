import type { FastifyReply } from 'fastify'
import { GraphQLError } from 'graphql'
import { maskError } from '../../gateway/error-masking.ts'
import type { ActiveSubscription } from '../../gateway/subscriptions.ts'
import type { Logger } from '../../platform/logging/log.ts'
import { StreamConnection, type WatchStall } from './stream-connection.ts'
import { type ResultFormat, SSE, type StreamFormat } from './stream-format.ts'

/** Subscription to send as a stream. */
export interface SubscriptionStream {
  readonly events: AsyncIterator<unknown>
  /** Returns the GraphQL result for an event, as JSON. */
  resultFor(event: unknown): Promise<string>
  /** IDs for resuming: `first` is the ID before the first event. Null if the stream cannot be resumed. */
  readonly eventIds: { readonly first: string | null; idOf(event: unknown): string } | null
  /** Watches for a reader that stalls while events queue up. Without it, a slow reader is never disconnected. */
  readonly watchStall?: WatchStall | undefined
}

/** Converts a subscription of the gateway to a stream. */
export async function toSubscriptionStream({
  events,
  resultFor,
  sharedStream,
}: ActiveSubscription): Promise<SubscriptionStream> {
  const eventIds = sharedStream && {
    first: await sharedStream.idBeforeStart(),
    idOf: sharedStream.idOf.bind(sharedStream),
  }
  return { events, resultFor, eventIds, watchStall: sharedStream?.watchStall.bind(sharedStream) }
}

/** Active streams of distinct connections mode: one subscription per connection. */
export class SubscriptionStreams {
  private readonly streams = new Map<StreamConnection, AsyncIterator<unknown>>()
  private closed = false

  constructor(
    private readonly log: Logger,
    private readonly keepAliveMs?: number,
  ) {}

  /** Number of open streams. */
  get open(): number {
    return this.streams.size
  }

  /** Sends results as fast as the reader takes them. Ends the events as soon as the reader disconnects. */
  async send(
    reply: FastifyReply,
    subscription: SubscriptionStream,
    format: StreamFormat = SSE,
  ): Promise<void> {
    const stream = new StreamConnection(reply, format, this.keepAliveMs)
    this.streams.set(stream, subscription.events)
    stream.onceClosed(() => this.remove(stream))
    if (this.closed) this.remove(stream)
    try {
      stream.begin()
      if (subscription.eventIds?.first) await stream.write(format.startAfter(subscription.eventIds.first))
      const isComplete = await sendResults(stream, subscription, format, this.log)
      if (isComplete && this.streams.has(stream)) await stream.write(format.complete)
    } finally {
      this.remove(stream)
      stream.end()
    }
  }

  /** Sends the single result of a query or mutation, or errors, and ends the stream. */
  async sendOnce(reply: FastifyReply, result: unknown, format: StreamFormat = SSE): Promise<void> {
    const stream = new StreamConnection(reply, format, this.keepAliveMs)
    stream.begin()
    await stream.write(format.next(JSON.stringify(result)) + format.complete)
    stream.end()
  }

  /** Ends every stream without a completion message, so that readers reconnect and resume. */
  close(): Promise<void> {
    this.closed = true
    for (const stream of this.streams.keys()) this.remove(stream)
    return Promise.resolve()
  }

  private remove(stream: StreamConnection): void {
    const events = this.streams.get(stream)
    this.streams.delete(stream)
    void events?.return?.()
  }
}

/** Responds to HEAD with the headers of a stream. Node drops what is written to the response. */
export function sendHead(reply: FastifyReply, format: StreamFormat): FastifyReply {
  const stream = new StreamConnection(reply, format)
  stream.begin()
  stream.end()
  return reply
}

/**
 * Sends the results of a subscription. Returns whether the subscription completed before the stream closed.
 */
export async function sendResults(
  stream: StreamConnection,
  { events, resultFor, eventIds, watchStall }: SubscriptionStream,
  format: ResultFormat,
  log: Logger,
): Promise<boolean> {
  while (stream.open) {
    const next = await events.next().catch((error: Error) => toLastResult(error, log))
    if (next.done) {
      const last: unknown = next.value
      if (last) await stream.write(format.next(JSON.stringify(last)))
      return true
    }
    const result = await resultFor(next.value)
    await stream.write(format.next(result, eventIds?.idOf(next.value)), watchStall)
  }
  return false
}

/** Converts the error that ended the events to a last result with `errors` and without `data`. */
function toLastResult(originalError: Error, log: Logger) {
  const error =
    originalError instanceof GraphQLError
      ? originalError
      : new GraphQLError(originalError.message, { originalError })
  return { done: true as const, value: { errors: [maskError(error, log)] } }
}
