import type { Client, Dispatcher } from 'undici'
import { isLostConnection, toFailure, TimedOut } from './errors.ts'
import type { QueuedRequest } from './origin-pool.ts'
import { onAbort } from '../lifecycle/on-abort.ts'

/** Maximum number of bytes of the response body that are read and kept. */
const BODY_BYTES = 16_384

type Controller = Dispatcher.DispatchController
type Headers = Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseStart']>>[2]

/**
 * One request and its result. The response headers decide the result: a broken or slow body does not change
 * it. The request ends with the response, when enough of the body is read, or at the timeout. A connection
 * with unread data is destroyed.
 */
export class OutboundRequest implements Dispatcher.DispatchHandler, QueuedRequest {
  readonly answer: Promise<OutboundResult>
  isComplete = false
  private resolve: (answer: OutboundResult) => void = () => undefined
  private reject: (reason: unknown) => void = () => undefined
  private readonly startedAt = performance.now()
  private readonly timer: NodeJS.Timeout
  private readonly stopListening: () => void
  private onStale: (() => void) | null = null
  private isSent = false
  private isEnded = false
  private head: { statusCode: number; headers: Record<string, string> } | null = null
  private readonly chunks: Buffer[] = []
  private remainingBytes = BODY_BYTES

  constructor(
    private readonly request: Dispatcher.DispatchOptions,
    private readonly timeoutMs: number,
    signal?: AbortSignal,
  ) {
    this.answer = new Promise((resolve, reject) => {
      this.resolve = resolve
      this.reject = reject
    })
    this.timer = setTimeout(() => this.fail(this.timeoutError()), timeoutMs)
    this.stopListening = signal ? onAbort(signal, () => this.abort(signal)) : () => undefined
  }

  get isWanted(): boolean {
    return !this.isEnded
  }

  startOn(client: Client, onStale?: () => void): void {
    this.onStale = onStale ?? null
    client.dispatch(this.request, this)
  }

  onRequestStart(): void {
    this.isSent = true
  }

  onResponseStart(_: Controller, statusCode: number, headers: Headers): void {
    if (statusCode >= 200) this.head = { statusCode, headers: joinValues(headers) }
  }

  onResponseData(_: Controller, chunk: Buffer): void {
    if (this.isEnded) return
    // A copy, because the buffer of the parser is much larger than the kept part.
    this.chunks.push(Buffer.from(chunk.subarray(0, this.remainingBytes)))
    this.remainingBytes -= chunk.length
    if (this.remainingBytes < 0) this.conclude()
  }

  onResponseEnd(): void {
    this.isComplete = !this.isEnded
    this.conclude()
  }

  onResponseError(_: Controller, error: Error): void {
    if (this.onStale && this.isWanted && !this.head && isLostConnection(error)) this.onStale()
    else this.fail(error)
  }

  /** Ends the request with the response so far, or with a failure if there is none. */
  fail(error: unknown): void {
    if (!this.end()) return
    const { outcome, message } = toFailure(error)
    const durationMs = this.elapsed()
    this.resolve(this.head ? this.answeredResult() : { outcome, error: message, durationMs })
  }

  private abort({ reason }: AbortSignal): void {
    if (this.end()) this.reject(reason)
  }

  private conclude(): void {
    if (this.end()) this.resolve(this.answeredResult())
  }

  private end(): boolean {
    if (this.isEnded) return false
    this.isEnded = true
    clearTimeout(this.timer)
    this.stopListening()
    return true
  }

  private timeoutError(): TimedOut {
    const within = `within ${this.timeoutMs / 1000} s`
    return new TimedOut(
      this.isSent
        ? `the server did not answer ${within}`
        : `there was no free connection to the server ${within}`,
    )
  }

  private answeredResult(): OutboundResult {
    const { statusCode, headers } = this.head ?? { statusCode: 0, headers: {} }
    return {
      outcome: 'answered',
      statusCode,
      headers,
      body: this.bodyText(headers),
      durationMs: this.elapsed(),
    }
  }

  /** Returns the body as text. A compressed body is not decompressed, because its size is unknown. */
  private bodyText({ 'content-encoding': encoding = 'identity' }: Readonly<Record<string, string>>): string {
    if (this.chunks.length === 0) return ''
    if (encoding !== 'identity') return `(compressed: ${encoding})`
    return new TextDecoder().decode(Buffer.concat(this.chunks), { stream: true })
  }

  private elapsed(): number {
    return Math.round(performance.now() - this.startedAt)
  }
}

const joinValues = (headers: Headers): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  )
/** Result of a request. Anything that a receiver does is a result, never an error. */
export type OutboundResult =
  | {
      readonly outcome: 'answered'
      readonly statusCode: number
      readonly headers: Readonly<Record<string, string>>
      /** First 16 KiB of the body. */
      readonly body: string
      readonly durationMs: number
    }
  | {
      readonly outcome: 'timed_out' | 'unreachable' | 'blocked'
      /** Sentence for the operator of the receiver. */
      readonly error: string
      readonly durationMs: number
    }
