import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'
import type { SharedStream } from '../../subgraphs/streams/shared-stream.ts'
import { MAX_QUEUED_EVENTS, SLOW_CONSUMER } from '../websockets/backpressure.ts'

/** Interval of keep-alive comments, which prevent proxies from closing an idle stream. */
const KEEP_ALIVE_MS = 12_000
/** Time that a disconnected slow reader has to read the reason. */
const CLOSE_TIMEOUT_MS = 30_000

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
}

const SLOW_READER_MESSAGE = `event: next\ndata: ${JSON.stringify({
  errors: [{ message: SLOW_CONSUMER.reason, extensions: { code: 'TOO_MANY_REQUESTS' } }],
})}\n\n`

export type OnStall = SharedStream<unknown>['onStall']

/** Open response of type `text/event-stream`. */
export class SseConnection {
  private readonly raw: ServerResponse
  private keepAlive: NodeJS.Timeout | undefined
  private isOpen = true

  constructor(
    private readonly reply: FastifyReply,
    private readonly keepAliveMs = KEEP_ALIVE_MS,
  ) {
    this.raw = reply.raw
    reply.hijack()
    this.raw.once('close', () => this.markClosed())
    if (this.raw.destroyed) this.markClosed()
  }

  get open(): boolean {
    return this.isOpen
  }

  begin(): void {
    const headers = { ...(this.reply.getHeaders() as Record<string, string>), ...HEADERS }
    this.raw.writeHead(200, headers).flushHeaders()
    // Some browsers treat the stream as open only after the first bytes of the body.
    this.raw.write(':\n\n')
    if (this.isOpen) this.keepAlive = setInterval(() => this.raw.write(':\n\n'), this.keepAliveMs)
  }

  /** Calls the listener when either side closes the stream, or at once if it is closed. */
  onceClosed(listener: () => void): void {
    if (this.raw.destroyed || this.raw.writableEnded) listener()
    else this.raw.once('close', listener)
  }

  /**
   * Writes text. If the reader is slow, waits until the buffer drains. If too many events queue up meanwhile,
   * sends an error that asks the reader to resume. The stream then ends without a completion message.
   */
  async write(text: string, onStall?: OnStall): Promise<void> {
    if (!this.isOpen || this.raw.write(text)) return
    const waiting = new AbortController()
    const stopWaiting = () => waiting.abort()
    const stopCounting = onStall?.(MAX_QUEUED_EVENTS, () => {
      this.disconnectSlow()
      stopWaiting()
    })
    this.raw.once('close', stopWaiting)
    await once(this.raw, 'drain', { signal: waiting.signal }).catch(() => undefined)
    this.raw.off('close', stopWaiting)
    stopCounting?.()
  }

  end(): void {
    this.markClosed()
    this.raw.end()
  }

  private markClosed(): void {
    this.isOpen = false
    clearInterval(this.keepAlive)
  }

  private disconnectSlow(): void {
    if (!this.isOpen) return
    this.markClosed()
    this.raw.end(SLOW_READER_MESSAGE)
    const deadline = setTimeout(() => this.raw.destroy(), CLOSE_TIMEOUT_MS).unref()
    this.raw.once('close', () => clearTimeout(deadline))
  }
}
