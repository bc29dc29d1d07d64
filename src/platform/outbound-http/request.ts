import type { Client, Dispatcher } from 'undici'
import { toFailure, TimedOut } from './errors.ts'
import type { QueuedRequest } from './origin-pool.ts'
import { onAbort } from '../lifecycle/on-abort.ts'

/** How much of an answer's body is read and kept. */
const BODY_BYTES = 16_384

type Controller = Dispatcher.DispatchController
type Headers = Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseStart']>>[2]

/**
 * One request and what comes of it. The status decides as soon as the head of the answer is there: what is amiss with
 * the body after that, or how long it takes, changes nothing. Ends when the answer does, when enough of it was read,
 * or when the time is up, whichever is first; a connection with more to come is destroyed.
 */
export class OutboundRequest implements Dispatcher.DispatchHandler, QueuedRequest {
  readonly answer: Promise<OutboundResult>
  whole = false
  private resolve: (answer: OutboundResult) => void = () => undefined
  private reject: (reason: unknown) => void = () => undefined
  private readonly startedAt = performance.now()
  private readonly timer: NodeJS.Timeout
  private readonly heedNoMore: () => void
  private sent = false
  private ended = false
  private head: { statusCode: number; headers: Record<string, string> } | null = null
  private readonly chunks: Buffer[] = []
  private room = BODY_BYTES

  constructor(
    private readonly request: Dispatcher.DispatchOptions,
    private readonly timeoutMs: number,
    signal?: AbortSignal,
  ) {
    this.answer = new Promise((resolve, reject) => {
      this.resolve = resolve
      this.reject = reject
    })
    this.timer = setTimeout(() => this.fail(this.late()), timeoutMs)
    this.heedNoMore = signal ? onAbort(signal, () => this.abort(signal)) : () => undefined
  }

  get wanted(): boolean {
    return !this.ended
  }

  startOn(client: Client): void {
    client.dispatch(this.request, this)
  }

  onRequestStart(): void {
    this.sent = true
  }

  onResponseStart(_: Controller, statusCode: number, headers: Headers): void {
    if (statusCode >= 200) this.head = { statusCode, headers: inOneLineEach(headers) }
  }

  onResponseData(_: Controller, chunk: Buffer): void {
    if (this.ended) return
    // A copy: the parser's buffer is much larger than what is kept of it.
    this.chunks.push(Buffer.from(chunk.subarray(0, this.room)))
    this.room -= chunk.length
    if (this.room < 0) this.conclude()
  }

  onResponseEnd(): void {
    this.whole = !this.ended
    this.conclude()
  }

  onResponseError(_: Controller, error: Error): void {
    this.fail(error)
  }

  /** What was heard so far is the answer, or that nothing was. */
  fail(error: unknown): void {
    if (!this.end()) return
    const { outcome, message } = toFailure(error)
    const durationMs = this.elapsed()
    this.resolve(this.head ? this.answered() : { outcome, error: message, durationMs })
  }

  private abort({ reason }: AbortSignal): void {
    if (this.end()) this.reject(reason)
  }

  private conclude(): void {
    if (this.end()) this.resolve(this.answered())
  }

  private end(): boolean {
    if (this.ended) return false
    this.ended = true
    clearTimeout(this.timer)
    this.heedNoMore()
    return true
  }

  private late(): TimedOut {
    const within = `within ${this.timeoutMs / 1000} s`
    return new TimedOut(
      this.sent ? `it did not answer ${within}` : `there was no free connection to it ${within}`,
    )
  }

  private answered(): OutboundResult {
    const { statusCode, headers } = this.head ?? { statusCode: 0, headers: {} }
    return { outcome: 'answered', statusCode, headers, body: this.text(headers), durationMs: this.elapsed() }
  }

  /** A body in a compressed form is not unpacked: nobody knows how large it becomes. */
  private text({ 'content-encoding': encoding = 'identity' }: Readonly<Record<string, string>>): string {
    if (this.chunks.length === 0) return ''
    if (encoding !== 'identity') return `(compressed: ${encoding})`
    return new TextDecoder().decode(Buffer.concat(this.chunks), { stream: true })
  }

  private elapsed(): number {
    return Math.round(performance.now() - this.startedAt)
  }
}

const inOneLineEach = (headers: Headers): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  )
/** What came of it. Anything that a receiver does is an outcome, never an error. */
export type OutboundResult =
  | {
      readonly outcome: 'answered'
      readonly statusCode: number
      readonly headers: Readonly<Record<string, string>>
      /** The first 16 KiB of it. */
      readonly body: string
      readonly durationMs: number
    }
  | {
      readonly outcome: 'timed_out' | 'unreachable' | 'blocked'
      /** A sentence for whoever looks after the receiver. */
      readonly error: string
      readonly durationMs: number
    }
