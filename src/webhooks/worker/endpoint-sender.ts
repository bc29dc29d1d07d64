import type { DeliveryStatus } from '../../subgraphs/events/webhooks/webhook-delivery.ts'
import type { DisabledReason, WebhookEndpoint } from '../../subgraphs/events/webhooks/webhook-endpoint.ts'
import type { WebhookProgress } from '../../subgraphs/events/webhooks/webhook-progress.ts'
import { Signal } from '../signal.ts'
import {
  isFailing,
  probeAllowedAt,
  retryAllowedAt,
  type AttemptResult,
  classifyAttempt,
} from '../attempts/retry-policy.ts'
import type { WorkerContext } from './worker-context.ts'
import { dueDeliveries, storedMessages, newMessages, waitingDeliveries } from '../messages/due-deliveries.ts'
import { OrderingQueue } from './ordering-queue.ts'
import { InFlightDeliveries } from './in-flight-deliveries.ts'
import type { LogWindow } from '../messages/event-log-window.ts'
import type { Message } from '../messages/message.ts'
import {
  cancelledOutcome,
  countAttempt,
  heldOutcome,
  type DeliveryOutcome,
  type EndpointHealth,
  attemptedOutcome,
  failedPayloadOutcome,
} from '../attempts/attempt-outcome.ts'
import { DeliveryRateLimiter } from './rate-limiter.ts'
import type { EndpointResults } from '../results/persist-results.ts'
import type { WriteResult, ResultSource } from '../results/result-writer.ts'
import { type SigningSecret, sendAttempt } from '../attempts/send-attempt.ts'

/** Time for which a sender without work keeps its endpoint, because more events may follow. */
const LINGER_MS = 1000
const INITIAL_CONCURRENCY = 2

/** Sends events to one endpoint while this worker leases it. */
export class EndpointSender implements ResultSource {
  /** Start of the lease, on the clock of `performance.now()`. */
  readonly startedAt = performance.now()
  private readonly changed = new Signal()
  private readonly inFlightDeliveries: InFlightDeliveries
  private readonly rateLimiter: DeliveryRateLimiter
  private readonly health: EndpointHealth
  private readonly orderingQueue: OrderingQueue
  private disable: DisabledReason | null = null
  private inFlight = 0
  private concurrency: number
  private isNudged = false
  private mayHaveDue = true
  private isStopping = false
  private isLost = false

  constructor(
    private readonly context: WorkerContext,
    readonly endpoint: WebhookEndpoint,
    { position, failures, failingSince, lastSuccessAt, lastAttemptAt }: WebhookProgress,
    public secrets: readonly SigningSecret[],
  ) {
    this.inFlightDeliveries = new InFlightDeliveries(position)
    this.health = { failures, failingSince, lastSuccessAt, lastAttemptAt }
    this.concurrency = isFailing(this.health) ? 1 : Math.min(INITIAL_CONCURRENCY, endpoint.concurrency)
    this.rateLimiter = new DeliveryRateLimiter(endpoint.ratePerSecond)
    this.orderingQueue = new OrderingQueue({
      isOrdered: endpoint.ordering === 'resource',
      acquireSlot: () => this.acquireSlot(),
      send: (message, slot) => this.send(message, slot),
      hold: (message) => this.addOutcome(heldOutcome(message)),
      putBack: (message) => this.inFlightDeliveries.unclaim(message),
      notifyReleased: () => this.recordResults(),
      queueEnded: () => this.changed.notify(),
    })
  }

  /** Acknowledged log position. Null if the lease is lost or the results could not be written. */
  get position(): number | null {
    return this.isLost ? null : this.inFlightDeliveries.position
  }

  /** Sends messages until none is left or the sender is stopped. Resolves when all results are written. */
  async run(): Promise<void> {
    try {
      await this.orderingQueue.loadHeld(this.context, this.endpoint.id)
      while (!this.isStopping && ((await this.sendNext()) || (await this.waitForWork())));
    } finally {
      this.stop()
      while (this.isBusy) await this.changed.wait()
    }
  }

  /** Starts no further message; `run` resolves when the in-flight messages have ended. */
  stop(): void {
    this.isStopping = true
    this.changed.notify()
  }

  /** Signals that the log may have grown, or that a stored delivery may be due. */
  wake(cause: 'log' | 'due' = 'log'): void {
    if (cause === 'due') this.mayHaveDue = true
    this.isNudged = true
    this.changed.notify()
  }

  takeResults(): EndpointResults {
    const outcomes = this.inFlightDeliveries.takeResults()
    const { disable: disableReason } = this
    this.disable = null
    return {
      endpointId: this.endpoint.id,
      applicationId: this.endpoint.applicationId,
      position: this.inFlightDeliveries.position,
      health: { ...this.health },
      outcomes,
      releasedResources: this.orderingQueue.takeReleased(),
      disableReason,
    }
  }

  onWritten({ resourcesDone, isDisabled, hasDue }: WriteResult): void {
    this.inFlightDeliveries.onWritten()
    if (this.orderingQueue.endHold(resourcesDone, this.inFlightDeliveries.unwritten)) this.recordResults()
    if (isDisabled) this.stop()
    else this.wake(hasDue ? 'due' : 'log')
  }

  onLost(): void {
    this.isLost = true
    this.inFlightDeliveries.drop()
    this.stop()
  }

  private get isBusy(): boolean {
    return this.inFlight > 0 || this.orderingQueue.isBusy || (!this.isLost && this.inFlightDeliveries.isOpen)
  }

  /** Sends the due deliveries and the next log window. Returns false if there was neither. */
  private async sendNext(): Promise<boolean> {
    this.isNudged = false
    const { context, endpoint, health } = this
    if (context.clock.now() < retryAllowedAt(health)) return this.endEarly()
    const due = await this.claimDue()
    await this.sendAll(due)
    if (this.isStopping) return false
    if (context.clock.now() < probeAllowedAt(health)) return due.length > 0 || this.endEarly()
    const window = await context.windows.after(
      endpoint,
      this.inFlightDeliveries.readPosition,
      context.windowSize(),
    )
    if (window) await this.sendAll(await this.newMessages(window))
    return due.length > 0 || window !== null
  }

  /** Messages of due deliveries (retried or released), and of deliveries that wait for these. */
  private async claimDue(): Promise<Message[]> {
    if (!this.mayHaveDue) return []
    this.mayHaveDue = false
    const { context, endpoint, inFlightDeliveries } = this
    const { db, payloadBuilder, clock } = context
    const limit = context.windowSize() + inFlightDeliveries.claimedCount
    const due = await inFlightDeliveries.claim(async () => {
      const found = await dueDeliveries(db, endpoint.id, { now: clock.now(), limit })
      if (found.length === limit) this.mayHaveDue = true
      return found
    })
    const waiting = await inFlightDeliveries.claim(() =>
      waitingDeliveries(db, endpoint.id, this.orderingQueue.resourcesOf(due), context.windowSize()),
    )
    return storedMessages(db, payloadBuilder, endpoint, [...due, ...waiting])
  }

  /** Ends the sender early. The release schedules the next lease of the endpoint. */
  private endEarly(): false {
    this.stop()
    return false
  }

  private async newMessages(window: LogWindow): Promise<Message[]> {
    const { db, clock } = this.context
    const messages = await newMessages(db, this.endpoint, window, clock.now())
    this.inFlightDeliveries.extend(messages, window.lastPosition)
    return messages
  }

  private async sendAll(messages: readonly Message[]): Promise<void> {
    for (const message of messages)
      if (this.isStopping || !(await this.orderingQueue.enqueue(message))) return
  }

  /** Waits for new work, at least until the in-flight messages end. Returns false if there is none. */
  private async waitForWork(): Promise<boolean> {
    const until = performance.now() + LINGER_MS
    while (!this.isStopping && !this.isNudged) {
      const left = until - performance.now()
      if (left <= 0 && !this.isBusy) return false
      await this.changed.wait(left > 0 ? left : undefined)
    }
    return !this.isStopping
  }

  private async acquireSlot(): Promise<symbol | null> {
    const { concurrency, resultWriter } = this.context
    while (this.inFlight >= this.concurrency && !this.isStopping) await this.changed.wait()
    if (this.isStopping) return null
    this.inFlight++
    await resultWriter.waitForCapacity()
    await this.waitFor(this.rateLimiter.take(performance.now()))
    const slot = await concurrency.acquire()
    if (!this.isStopping && (await this.context.isConfirmed()) && !this.isStopping) return slot
    concurrency.release(slot)
    this.inFlight--
    return this.endEarly() || null
  }

  private async waitFor(ms: number): Promise<void> {
    const until = performance.now() + ms
    for (let left = ms; left > 0 && !this.isStopping; left = until - performance.now())
      await this.changed.wait(left)
  }

  private async send(message: Message, slot: symbol): Promise<DeliveryStatus | null> {
    try {
      const outcome = await this.deliver(message)
      if (outcome === null) return null
      this.addOutcome(outcome)
      return outcome.delivery.status
    } catch (err) {
      if (!this.context.signal.aborted) this.context.log.error({ err }, 'webhook send failed')
      this.stop()
      return null
    } finally {
      this.context.concurrency.release(slot)
      this.inFlight--
      this.changed.notify()
    }
  }

  private async deliver(message: Message): Promise<DeliveryOutcome> {
    const { endpoint, context } = this
    const startedAt = context.clock.now()
    if (!(await context.connections.isWanted(endpoint, message))) return cancelledOutcome(message)
    if (message.payload.error !== undefined) return failedPayloadOutcome(endpoint, message, startedAt)
    const attempted = await sendAttempt(context, {
      endpoint,
      message,
      text: message.payload.text,
      secrets: this.secrets,
    })
    const reason = countAttempt(this.health, attempted)
    if (reason !== null) this.disable = reason
    this.adaptConcurrency(classifyAttempt(attempted.answer))
    return attemptedOutcome(endpoint, message, attempted)
  }

  /** Adapts the concurrency: a success doubles it up to the limit of the endpoint, a failure sets it to 1. */
  private adaptConcurrency(verdict: AttemptResult): void {
    this.concurrency = verdict === 'delivered' ? Math.min(this.concurrency * 2, this.endpoint.concurrency) : 1
    if (verdict === 'gone' || isFailing(this.health)) this.stop()
  }

  private addOutcome(outcome: DeliveryOutcome): void {
    const { message } = outcome
    if (this.isLost) return
    if (outcome.delivery.status === 'cancelled' && !message.isStored)
      return this.inFlightDeliveries.settle(message)
    this.inFlightDeliveries.add(outcome)
    this.recordResults()
  }

  private recordResults(): void {
    this.inFlightDeliveries.markDirty()
    this.context.resultWriter.enqueue(this)
  }
}
