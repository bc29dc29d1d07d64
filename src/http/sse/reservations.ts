import { randomUUID } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ExecutionResult } from 'graphql'
import type { Caller } from '../../auth/caller.ts'
import { PublicError } from '../../domain/errors.ts'
import type { ActiveSubscription } from '../../gateway/subscriptions.ts'
import type { Logger } from '../../platform/logging/log.ts'
import { formatWithId, SSE } from './stream-format.ts'
import { sendResults, toSubscriptionStream } from './subscription-streams.ts'
import { StreamConnection } from './stream-connection.ts'

const TOKEN_HEADER = 'x-graphql-event-stream-token'

/** Form of the tokens. A parameter `token` in the URL may also be a session token. */
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/

/** Returns the token of the reserved stream to which a request belongs; null if it belongs to none. */
export function streamTokenOf({ headers, query }: FastifyRequest): string | null {
  const inHeader = headers[TOKEN_HEADER]?.toString()
  if (inHeader) return inHeader
  const { token } = query as { readonly token?: unknown }
  return typeof token === 'string' && UUID.test(token) ? token : null
}

/** Time after which a reservation ends if its stream was not opened. */
const UNUSED_MS = 30_000

interface Operation {
  events: AsyncIterator<unknown> | null
  /** Releases the place of the operation in the limit of subscriptions. */
  readonly release: () => void
}

/** Reserved stream and the operations whose results go to it. */
export interface Reservation {
  readonly token: string
  readonly caller: Caller
  /** Operations by ID. */
  readonly operations: Map<string, Operation>
  readonly stream: Promise<StreamConnection>
  /** Resolves `stream` with the open stream. Null after that. */
  resolveStream: ((stream: StreamConnection) => void) | null
  readonly endListeners: (() => void)[]
}

/** Reserved streams of single connection mode, open or not yet open. */
export class Reservations {
  private readonly byToken = new Map<string, Reservation>()
  private readonly streams = new Set<StreamConnection>()

  constructor(private readonly log: Logger) {}

  /** Number of open streams. */
  get open(): number {
    return this.streams.size
  }

  /** Returns the reservation with a token. Throws if this process does not have it. */
  get(token: string): Reservation {
    const reservation = this.byToken.get(token)
    if (reservation) return reservation
    throw new PublicError(
      'not_found',
      'The reserved stream does not exist: it has ended, or another process holds it. Reserve a new one.',
    )
  }

  /** Creates a reservation. `release` is called when it ends. */
  create(caller: Caller, release: () => void): Reservation {
    const token = randomUUID()
    let resolveStream!: (stream: StreamConnection) => void
    const stream = new Promise<StreamConnection>((resolve) => (resolveStream = resolve))
    const reservation: Reservation = {
      token,
      caller,
      operations: new Map(),
      stream,
      resolveStream,
      endListeners: [release],
    }
    this.byToken.set(token, reservation)
    setTimeout(() => reservation.resolveStream && this.end(reservation), UNUSED_MS).unref()
    return reservation
  }

  /**
   * Opens the stream of a reservation, once. When the stream closes, the reservation and its operations end.
   */
  openStream(reservation: Reservation, reply: FastifyReply): void {
    const { resolveStream } = reservation
    if (!resolveStream) throw new PublicError('conflict', 'The stream is already open.')
    reservation.resolveStream = null
    const stream = new StreamConnection(reply, SSE)
    this.streams.add(stream)
    stream.onceClosed(() => {
      this.streams.delete(stream)
      this.remove(reservation)
    })
    stream.begin()
    resolveStream(stream)
  }

  /** Adds an operation before it starts, so that no other operation can use its ID. */
  addOperation({ operations }: Reservation, id: string, release: () => void): void {
    if (operations.has(id)) {
      release()
      throw new PublicError('conflict', 'An operation with this ID is already active. Use another ID.')
    }
    operations.set(id, { events: null, release })
  }

  /** Sends the results of an operation. Waits until the stream is open. */
  async run(
    reservation: Reservation,
    id: string,
    outcome: ActiveSubscription | ExecutionResult,
  ): Promise<void> {
    const operation = reservation.operations.get(id)
    const format = formatWithId(id)
    if (!operation) return 'resultFor' in outcome ? void outcome.events.return?.() : undefined
    if ('resultFor' in outcome) operation.events = outcome.events
    const stream = await reservation.stream
    try {
      if ('resultFor' in outcome) {
        const { eventIds: _, ...subscription } = await toSubscriptionStream(outcome)
        await sendResults(stream, { ...subscription, eventIds: null }, format, this.log)
      } else await stream.write(format.next(JSON.stringify(outcome)))
      if (reservation.operations.get(id) === operation) await stream.write(format.complete)
    } catch (error) {
      this.log.error({ err: error }, 'subscription failed')
    } finally {
      this.stop(reservation, id, operation)
    }
  }

  /** Stops the operation with an ID. With `expected`, stops it only if it is still that operation. */
  stop({ operations }: Reservation, id: string, expected?: Operation): void {
    const operation = operations.get(id)
    if (!operation || (expected && operation !== expected)) return
    operations.delete(id)
    operation.release()
    void operation.events?.return?.()
  }

  close(): void {
    for (const reservation of this.byToken.values()) this.end(reservation)
  }

  /**
   * Ends a reservation with its operations and its stream. Sends the reason, if there is one, to each
   * operation.
   */
  end(reservation: Reservation, reason?: PublicError): void {
    const ids = [...reservation.operations.keys()]
    this.remove(reservation)
    void endStream(reservation, reason ? ids.map((id) => failureMessages(id, reason)) : [])
  }

  /** Calls the listener when the reservation ends, or at once if it has ended. */
  onEnd(reservation: Reservation, listener: () => void): void {
    if (this.byToken.has(reservation.token)) reservation.endListeners.push(listener)
    else listener()
  }

  private remove(reservation: Reservation): void {
    if (!this.byToken.delete(reservation.token)) return
    for (const id of reservation.operations.keys()) this.stop(reservation, id)
    for (const listener of reservation.endListeners) listener()
  }
}

const errorResult = (reason: PublicError): string =>
  JSON.stringify({ errors: [{ message: reason.message, extensions: reason.extensions }] })

/** Returns the last messages of a failed operation: the error and the completion. */
function failureMessages(id: string, reason: PublicError): string {
  const { next, complete } = formatWithId(id)
  return next(errorResult(reason)) + complete
}

async function endStream({ stream: opening }: Reservation, messages: readonly string[]): Promise<void> {
  const stream = await opening
  for (const message of messages) void stream.write(message)
  stream.end()
}
