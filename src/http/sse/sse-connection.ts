import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'
import type { SharedStream } from '../../subgraphs/streams/shared-stream.ts'
import { MAX_QUEUED_EVENTS, SLOW_CONSUMER } from '../websockets/backpressure.ts'

/** How often something is said on a stream that is quiet, so that nobody between takes it for dead. */
const KEEP_ALIVE_MS = 12_000
/** How long a reader that was sent away may take to read why. */
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

/** One answer of `text/event-stream` that stays open. */
export class SseConnection {
  private readonly raw: ServerResponse
  private pulse: NodeJS.Timeout | undefined
  private isOpen = true

  constructor(
    private readonly reply: FastifyReply,
    private readonly keepAliveMs = KEEP_ALIVE_MS,
  ) {
    this.raw = reply.raw
    reply.hijack()
    this.raw.once('close', () => this.leave())
    if (this.raw.destroyed) this.leave()
  }

  get open(): boolean {
    return this.isOpen
  }

  begin(): void {
    const headers = { ...(this.reply.getHeaders() as Record<string, string>), ...HEADERS }
    this.raw.writeHead(200, headers).flushHeaders()
    // Some browsers do not take the headers alone for a stream that is open.
    this.raw.write(':\n\n')
    if (this.isOpen) this.pulse = setInterval(() => this.raw.write(':\n\n'), this.keepAliveMs)
  }

  /** Calls the ear when the stream ends, from either side. */
  onceClosed(listener: () => void): void {
    if (this.raw.destroyed || this.raw.writableEnded) listener()
    else this.raw.once('close', listener)
  }

  /**
   * Waits, where the reader is slow, until it has taken what was sent before. Where more comes meanwhile than may wait,
   * it is told to resume, and the stream ends without a word of completion.
   */
  async write(text: string, onStall?: OnStall): Promise<void> {
    if (!this.isOpen || this.raw.write(text)) return
    const gone = new AbortController()
    const left = () => gone.abort()
    const stop = onStall?.(MAX_QUEUED_EVENTS, () => {
      this.disconnectSlow()
      left()
    })
    this.raw.once('close', left)
    await once(this.raw, 'drain', { signal: gone.signal }).catch(() => undefined)
    this.raw.off('close', left)
    stop?.()
  }

  end(): void {
    this.leave()
    this.raw.end()
  }

  private leave(): void {
    this.isOpen = false
    clearInterval(this.pulse)
  }

  private disconnectSlow(): void {
    if (!this.isOpen) return
    this.leave()
    this.raw.end(SLOW_READER_MESSAGE)
    const late = setTimeout(() => this.raw.destroy(), CLOSE_TIMEOUT_MS).unref()
    this.raw.once('close', () => clearTimeout(late))
  }
}
