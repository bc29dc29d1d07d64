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
import { dueDeliveries, messagesOf, newMessages, waitingDeliveries } from '../messages/due-deliveries.ts'
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
import type { WriteResult, ResultSubscriber } from '../results/result-writer.ts'
import { type OpenSecret, sendAttempt } from '../attempts/send-attempt.ts'

/** An endpoint that has been told all is kept for a moment: more may come. */
const LINGER_MS = 1000
const FIRST_WIDTH = 2

/** Tells one endpoint the log, for as long as this worker has it. */
export class EndpointSender implements ResultSubscriber {
  /** When it was taken. */
  readonly since = performance.now()
  private readonly changed = new Signal()
  private readonly inFlightDeliveries: InFlightDeliveries
  private readonly rateLimiter: DeliveryRateLimiter
  private readonly health: EndpointHealth
  private readonly orderingQueue: OrderingQueue
  private disable: DisabledReason | null = null
  private inFlight = 0
  private width: number
  private isNudged = false
  private mayHaveDue = true
  private isStopping = false
  private isLost = false

  constructor(
    private readonly context: WorkerContext,
    readonly endpoint: WebhookEndpoint,
    { position, failures, failingSince, lastSuccessAt, lastAttemptAt }: WebhookProgress,
    public secrets: readonly OpenSecret[],
  ) {
    this.inFlightDeliveries = new InFlightDeliveries(position)
    this.health = { failures, failingSince, lastSuccessAt, lastAttemptAt }
    this.width = isFailing(this.health) ? 1 : Math.min(FIRST_WIDTH, endpoint.concurrency)
    this.rateLimiter = new DeliveryRateLimiter(endpoint.ratePerSecond)
    this.orderingQueue = new OrderingQueue({
      isOrdered: endpoint.ordering === 'resource',
      room: () => this.room(),
      send: (message, slot) => this.send(message, slot),
      hold: (message) => this.note(heldOutcome(message)),
      putBack: (message) => this.inFlightDeliveries.putBack(message),
      release: () => this.recordResults(),
      ended: () => this.changed.notify(),
    })
  }

  /** How far it has been told the log; null where another worker has it by now. */
  get position(): number | null {
    return this.isLost ? null : this.inFlightDeliveries.position
  }

  /** Tells it all there is, until there is no more or it is to stop; then all of it is recorded. */
  async run(): Promise<void> {
    try {
      await this.orderingQueue.begin(this.context, this.endpoint.id)
      while (!this.isStopping && ((await this.round()) || (await this.rest())));
    } finally {
      this.stop()
      while (this.isBusy) await this.changed.wait()
    }
  }

  /** Sends nothing more, and ends when what is under way has ended. */
  stop(): void {
    this.isStopping = true
    this.changed.notify()
  }

  /** There may be something new: more of the log, or a message whose time has come. */
  nudge(what: 'log' | 'due' = 'log'): void {
    if (what === 'due') this.mayHaveDue = true
    this.isNudged = true
    this.changed.notify()
  }

  entry(): EndpointResults {
    const outcomes = this.inFlightDeliveries.take()
    const { disable } = this
    this.disable = null
    return {
      endpointId: this.endpoint.id,
      applicationId: this.endpoint.applicationId,
      position: this.inFlightDeliveries.position,
      health: { ...this.health },
      outcomes,
      released: this.orderingQueue.takeReleased(),
      disable,
    }
  }

  recorded({ free, isDisabled, hasDue }: WriteResult): void {
    this.inFlightDeliveries.recorded()
    if (this.orderingQueue.free(free, this.inFlightDeliveries.unrecorded)) this.recordResults()
    if (isDisabled) this.stop()
    else this.nudge(hasDue ? 'due' : 'log')
  }

  lost(): void {
    this.isLost = true
    this.inFlightDeliveries.drop()
    this.stop()
  }

  private get isBusy(): boolean {
    return this.inFlight > 0 || this.orderingQueue.isBusy || (!this.isLost && this.inFlightDeliveries.isOpen)
  }

  /** Sends what is due and the next stretch of the log; false where there was neither. */
  private async round(): Promise<boolean> {
    this.isNudged = false
    const { context, endpoint, health } = this
    if (context.clock.now() < retryAllowedAt(health)) return this.leave()
    const again = await this.dueAgain()
    await this.sendAll(again)
    if (this.isStopping) return false
    if (context.clock.now() < probeAllowedAt(health)) return again.length > 0 || this.leave()
    const window = await context.windows.after(endpoint, this.inFlightDeliveries.read, context.windowSize())
    if (window) await this.sendAll(await this.newMessages(window))
    return again.length > 0 || window !== null
  }

  /** Messages that were sent before, or waited, and whose time has come, and what waits for them in turn. */
  private async dueAgain(): Promise<Message[]> {
    if (!this.mayHaveDue) return []
    this.mayHaveDue = false
    const { context, endpoint, inFlightDeliveries } = this
    const { db, bodies, clock } = context
    const most = context.windowSize() + inFlightDeliveries.countUnderWay
    const due = await inFlightDeliveries.begin(async () => {
      const found = await dueDeliveries(db, endpoint.id, { now: clock.now(), most })
      if (found.length === most) this.mayHaveDue = true
      return found
    })
    const waiting = await inFlightDeliveries.begin(() =>
      waitingDeliveries(db, endpoint.id, this.orderingQueue.awaited(due), context.windowSize()),
    )
    return messagesOf(db, bodies, endpoint, [...due, ...waiting])
  }

  /** What a failing endpoint may be sent next comes later: whoever looks then has it. */
  private leave(): false {
    this.stop()
    return false
  }

  private async newMessages(window: LogWindow): Promise<Message[]> {
    const { db, clock } = this.context
    const messages = await newMessages(db, this.endpoint, window, clock.now())
    this.inFlightDeliveries.extend(messages, window.through)
    return messages
  }

  private async sendAll(messages: readonly Message[]): Promise<void> {
    for (const message of messages) if (this.isStopping || !(await this.orderingQueue.take(message))) return
  }

  /** Waits for something new for a moment, and for what is under way; false where nothing came. */
  private async rest(): Promise<boolean> {
    const until = performance.now() + LINGER_MS
    while (!this.isStopping && !this.isNudged) {
      const left = until - performance.now()
      if (left <= 0 && !this.isBusy) return false
      await this.changed.wait(left > 0 ? left : undefined)
    }
    return !this.isStopping
  }

  private async room(): Promise<symbol | null> {
    const { concurrency, resultWriter } = this.context
    while (this.inFlight >= this.width && !this.isStopping) await this.changed.wait()
    if (this.isStopping) return null
    this.inFlight++
    await resultWriter.room()
    await this.waitFor(this.rateLimiter.take(performance.now()))
    const slot = await concurrency.acquire()
    if (!this.isStopping && (await this.context.isConfirmed()) && !this.isStopping) return slot
    concurrency.release(slot)
    this.inFlight--
    return this.leave() || null
  }

  private async waitFor(ms: number): Promise<void> {
    const until = performance.now() + ms
    for (let left = ms; left > 0 && !this.isStopping; left = until - performance.now())
      await this.changed.wait(left)
  }

  private async send(message: Message, slot: symbol): Promise<DeliveryStatus | null> {
    try {
      const outcome = await this.outcomeOf(message)
      if (outcome === null) return null
      this.note(outcome)
      return outcome.delivery.status
    } catch (err) {
      if (!this.context.signal.aborted) this.context.log.error({ err }, 'a webhook could not be sent')
      this.stop()
      return null
    } finally {
      this.context.concurrency.release(slot)
      this.inFlight--
      this.changed.notify()
    }
  }

  private async outcomeOf(message: Message): Promise<DeliveryOutcome> {
    const { endpoint, context } = this
    const startedAt = context.clock.now()
    if (!(await context.connections.isWanted(endpoint, message))) return cancelledOutcome(message)
    if (message.body.fault !== undefined) return failedPayloadOutcome(endpoint, message, startedAt)
    const tried = await sendAttempt(context, {
      endpoint,
      message,
      text: message.body.text,
      secrets: this.secrets,
    })
    const reason = countAttempt(this.health, tried)
    if (reason !== null) this.disable = reason
    this.adapt(classifyAttempt(tried.answer))
    return attemptedOutcome(endpoint, message, tried)
  }

  /** As many at once as the endpoint bears: it shows with each that arrives, and with the first that does not. */
  private adapt(verdict: AttemptResult): void {
    this.width = verdict === 'delivered' ? Math.min(this.width * 2, this.endpoint.concurrency) : 1
    if (verdict === 'gone' || isFailing(this.health)) this.stop()
  }

  private note(outcome: DeliveryOutcome): void {
    const { message } = outcome
    if (this.isLost) return
    if (outcome.delivery.status === 'cancelled' && !message.isStored)
      return this.inFlightDeliveries.settle(message)
    this.inFlightDeliveries.add(outcome)
    this.recordResults()
  }

  private recordResults(): void {
    this.inFlightDeliveries.markDirty()
    this.context.resultWriter.note(this)
  }
}
