import type { WebhookEndpoint } from '../../subgraphs/events/webhooks/webhook-endpoint.ts'
import type { Signal } from '../signal.ts'
import { DeliveryRateLimiter } from './rate-limiter.ts'
import type { WorkerContext } from './worker-context.ts'

const INITIAL_CONCURRENCY = 2

interface EndpointSlotsOptions {
  readonly endpoint: WebhookEndpoint
  readonly isFailing: boolean
  /** Aborted when the sender stops. */
  readonly signal: AbortSignal
  /** Notified when the sender stops or a slot is free. */
  readonly changed: Signal
}

/** Limits the requests to one endpoint: its rate is fixed, its concurrency adapts to the answers. */
export class EndpointSlots {
  inFlight = 0
  private concurrency: number
  private readonly rateLimiter: DeliveryRateLimiter

  constructor(
    private readonly context: WorkerContext,
    private readonly options: EndpointSlotsOptions,
  ) {
    const { endpoint, isFailing } = options
    this.concurrency = isFailing ? 1 : Math.min(INITIAL_CONCURRENCY, endpoint.concurrency)
    this.rateLimiter = new DeliveryRateLimiter(endpoint.ratePerSecond)
  }

  /** Acquires a slot for one request. Null if the sender stops or its lease is not confirmed. */
  async acquire(): Promise<symbol | null> {
    const { concurrency, resultWriter } = this.context
    const { signal, changed } = this.options
    while (this.inFlight >= this.concurrency && !signal.aborted) await changed.wait()
    if (signal.aborted) return null
    this.inFlight++
    await resultWriter.waitForCapacity()
    await this.waitForRate()
    const slot = await concurrency.acquire()
    if (!signal.aborted && (await this.context.isConfirmed()) && !signal.aborted) return slot
    this.release(slot)
    return null
  }

  release(slot: symbol): void {
    this.context.concurrency.release(slot)
    this.inFlight--
    this.options.changed.notify()
  }

  /** Adapts the concurrency: a success doubles it up to the limit of the endpoint, a failure sets it to 1. */
  adapt(isDelivered: boolean): void {
    this.concurrency = isDelivered ? Math.min(this.concurrency * 2, this.options.endpoint.concurrency) : 1
  }

  private async waitForRate(): Promise<void> {
    const { signal, changed } = this.options
    const until = performance.now() + this.rateLimiter.take(performance.now())
    for (let left = until - performance.now(); left > 0 && !signal.aborted; left = until - performance.now())
      await changed.wait(left)
  }
}
