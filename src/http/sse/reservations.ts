import { randomUUID } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ExecutionResult } from 'graphql'
import type { Caller } from '../../auth/caller.ts'
import { PublicError } from '../../domain/errors.ts'
import type { ActiveSubscription } from '../../gateway/subscriptions.ts'
import type { Logger } from '../../platform/logging/log.ts'
import { sendAnswers, toSubscriptionStream, type ResultFormat } from './subscription-streams.ts'
import { SseConnection } from './sse-connection.ts'

const TOKEN_HEADER = 'x-graphql-event-stream-token'
/** A reservation whose stream is not opened by then is given up. */
const UNUSED_MS = 30_000

interface Operation {
  events: AsyncIterator<unknown> | null
  readonly left: () => void
}

/** A stream that somebody may open, and the operations that are answered on it. */
export interface Reservation {
  readonly token: string
  readonly caller: Caller
  readonly operations: Map<string, Operation>
  readonly stream: Promise<SseConnection>
  opened: ((stream: SseConnection) => void) | null
  readonly left: (() => void)[]
}

/** The streams on which many operations are answered (single connection mode), open or awaited. */
export class Reservations {
  private readonly byToken = new Map<string, Reservation>()
  private readonly streams = new Set<SseConnection>()

  constructor(private readonly log: Logger) {}

  get open(): number {
    return this.streams.size
  }

  of({ headers, query }: FastifyRequest): Reservation | null {
    const token = headers[TOKEN_HEADER]?.toString() ?? (query as { token?: string }).token
    return (token === undefined ? undefined : this.byToken.get(token)) ?? null
  }

  make(caller: Caller, left: () => void): Reservation {
    const token = randomUUID()
    let opened!: (stream: SseConnection) => void
    const stream = new Promise<SseConnection>((resolve) => (opened = resolve))
    const reservation: Reservation = { token, caller, operations: new Map(), stream, opened, left: [left] }
    this.byToken.set(token, reservation)
    setTimeout(() => reservation.opened && this.end(reservation), UNUSED_MS).unref()
    return reservation
  }

  /** Only one stream is opened for a reservation; with it everything ends. */
  fulfil(reservation: Reservation, reply: FastifyReply): void {
    const { opened } = reservation
    if (!opened) throw new PublicError('conflict', 'The stream is open already.')
    reservation.opened = null
    const stream = new SseConnection(reply)
    this.streams.add(stream)
    stream.onceClosed(() => {
      this.streams.delete(stream)
      this.remove(reservation)
    })
    stream.begin()
    opened(stream)
  }

  /** Takes the operation's place, so that no other has its id. */
  reserve({ operations }: Reservation, id: string, left: () => void): void {
    if (operations.has(id)) {
      left()
      throw new PublicError('conflict', 'There is an operation with this id already.')
    }
    operations.set(id, { events: null, left })
  }

  /** Sends what an operation answers, once there is a stream for it. */
  async run(
    reservation: Reservation,
    id: string,
    outcome: ActiveSubscription | ExecutionResult,
  ): Promise<void> {
    const operation = reservation.operations.get(id)
    const wording = withId(id)
    if (!operation) return 'answerTo' in outcome ? void outcome.events.return?.() : undefined
    if ('answerTo' in outcome) operation.events = outcome.events
    const stream = await reservation.stream
    try {
      if ('answerTo' in outcome) {
        const { places: _, ...answers } = await toSubscriptionStream(outcome)
        await sendAnswers(stream, { ...answers, places: null }, wording, this.log)
      } else await stream.write(wording.next(JSON.stringify(outcome), undefined))
      if (reservation.operations.get(id) === operation) await stream.write(wording.complete)
    } catch (error) {
      this.log.error({ err: error }, 'a subscription failed')
    } finally {
      this.stop(reservation, id, operation)
    }
  }

  stop({ operations }: Reservation, id: string, only?: Operation): void {
    const operation = operations.get(id)
    if (!operation || (only && operation !== only)) return
    operations.delete(id)
    operation.left()
    void operation.events?.return?.()
  }

  close(): void {
    for (const reservation of this.byToken.values()) this.end(reservation)
  }

  /** Gives it up with all that is answered on its stream, which is told why where there is a reason. */
  end(reservation: Reservation, why?: PublicError): void {
    const ids = [...reservation.operations.keys()]
    this.remove(reservation)
    void endStream(reservation, why ? ids.map((id) => completion(id, why)) : [])
  }

  /** Calls the ear when it is given up. */
  onDisconnect(reservation: Reservation, listener: () => void): void {
    if (this.byToken.has(reservation.token)) reservation.left.push(listener)
    else listener()
  }

  private remove(reservation: Reservation): void {
    if (!this.byToken.delete(reservation.token)) return
    for (const id of reservation.operations.keys()) this.stop(reservation, id)
    for (const left of reservation.left) left()
  }
}

const refusalOf = (why: PublicError): string =>
  JSON.stringify({ errors: [{ message: why.message, extensions: why.extensions }] })

const withId = (id: string): ResultFormat => ({
  next: (answer) => `event: next\ndata: {"id":${JSON.stringify(id)},"payload":${answer}}\n\n`,
  complete: `event: complete\ndata: ${JSON.stringify({ id })}\n\n`,
})

/** The last of an operation: why it has ended. */
function completion(id: string, why: PublicError): string {
  const { next, complete } = withId(id)
  return next(refusalOf(why), undefined) + complete
}

async function endStream({ stream: opening }: Reservation, lines: readonly string[]): Promise<void> {
  const stream = await opening
  for (const line of lines) void stream.write(line)
  stream.end()
}
