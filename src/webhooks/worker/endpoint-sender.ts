import type { DeliveryStatus } from '../../subgraphs/events/webhooks/webhook-delivery.ts'
import type { DisabledReason, WebhookEndpoint } from '../../subgraphs/events/webhooks/webhook-endpoint.ts'
import type { EndpointHeader } from '../../subgraphs/events/webhooks/webhook-header.ts'
import type { WebhookProgress } from '../../subgraphs/events/webhooks/webhook-progress.ts'
import { Signal } from '../signal.ts'
import { isFailing, probeAllowedAt, retryAllowedAt, classifyAttempt } from '../attempts/retry-policy.ts'
import type { WorkerContext } from './worker-context.ts'
import { claimDueDeliveries } from './claim-due.ts'
import { type LogEnd, readLogEnd } from '../messages/log-end.ts'
import { newMessages, pendingResources, makeWaitingDue } from '../messages/due-deliveries.ts'
import { configFingerprint } from './endpoint-config.ts'
import { OrderingQueue, isWaiting } from './ordering-queue.ts'
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
import { EndpointSlots } from './endpoint-slots.ts'
import type { EndpointResults } from '../results/persist-results.ts'
import type { WriteResult, ResultSource } from '../results/result-writer.ts'
import { type SigningSecret, sendAttempt } from '../attempts/send-attempt.ts'

/** Time for which a sender without work keeps its endpoint, because more events may follow. */
const LINGER_MS = 1000

/** Sends events to one endpoint while this worker leases it. */
export class EndpointSender implements ResultSource {
  /** Start of the lease, on the clock of `performance.now()`. */
  readonly startedAt = performance.now()
  private readonly changed = new Signal()
  private readonly inFlightDeliveries: InFlightDeliveries
  private readonly stopping = new AbortController()
  private readonly slots: EndpointSlots
  private readonly health: EndpointHealth
  private readonly orderingQueue: OrderingQueue
  private disable: DisabledReason | null = null
  private isNudged = false
  private mayHaveDue = true
  private isLost = false

  constructor(
    private readonly context: WorkerContext,
    readonly endpoint: WebhookEndpoint,
    { position, failures, failingSince, lastSuccessAt, lastAttemptAt }: WebhookProgress,
    public secrets: readonly SigningSecret[],
    private readonly customHeaders: readonly EndpointHeader[],
  ) {
    this.inFlightDeliveries = new InFlightDeliveries(position)
    this.health = { failures, failingSince, lastSuccessAt, lastAttemptAt }
    this.slots = new EndpointSlots(context, {
      endpoint,
      isFailing: isFailing(this.health),
      signal: this.stopping.signal,
      changed: this.changed,
    })
    this.orderingQueue = new OrderingQueue(endpoint.ordering === 'resource')
  }

  /** Acknowledged log position. Null if the lease is lost or the results could not be written. */
  get position(): number | null {
    return this.isLost ? null : this.inFlightDeliveries.position
  }

  /** Sends messages until none is left or the sender is stopped. Resolves when all results are written. */
  async run(): Promise<void> {
    try {
      await this.loadHeld()
      while (!this.isStopping && ((await this.sendNext()) || (await this.waitForWork())));
    } finally {
      this.stop()
      while (this.isBusy) await this.changed.wait()
    }
  }

  /** Starts no further message; `run` resolves when the in-flight messages have ended. */
  stop(): void {
    this.stopping.abort()
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
    this.orderingQueue.endHold(resourcesDone, this.inFlightDeliveries.bufferedOutcomes)
    this.recordReleased()
    if (isDisabled) this.stop()
    else this.wake(hasDue ? 'due' : 'log')
  }

  onLost(): void {
    this.isLost = true
    this.inFlightDeliveries.drop()
    this.stop()
  }

  /** Whether new events of the log may be sent. A failing endpoint gets one after a pause only. */
  private get mayRead(): boolean {
    return this.context.clock.now() >= probeAllowedAt(this.health)
  }

  private get isStopping(): boolean {
    return this.stopping.signal.aborted
  }

  private get isBusy(): boolean {
    return (
      this.slots.inFlight > 0 || this.orderingQueue.isBusy || (!this.isLost && this.inFlightDeliveries.isOpen)
    )
  }

  /** Holds the records with pending deliveries. Without ordering, makes all waiting deliveries due instead. */
  private async loadHeld(): Promise<void> {
    const { context, endpoint } = this
    if (endpoint.ordering !== 'resource') return makeWaitingDue(context.db, endpoint.id, context.clock.now())
    this.orderingQueue.load(await pendingResources(context.db, endpoint.id))
    this.recordReleased()
  }

  /** Sends the due deliveries and the next log window. Returns false if there was neither. */
  private async sendNext(): Promise<boolean> {
    this.isNudged = false
    const { context, endpoint, health } = this
    if (context.clock.now() < retryAllowedAt(health)) return this.endEarly()
    const due = await this.claimDue()
    if (due.length === 0 && !this.mayRead) return this.endEarly()
    const end = await this.readLogEnd()
    if (end === null) return this.endEarly()
    await this.sendAll(due)
    if (this.isStopping) return false
    if (!this.mayRead) return due.length > 0 || this.endEarly()
    const { readPosition } = this.inFlightDeliveries
    const window = await context.windows.between(endpoint, readPosition, end.position, context.windowSize())
    if (window) await this.sendAll(await this.newMessages(window))
    return due.length > 0 || window !== null
  }

  /**
   * Reads how far this sender may read the log with its settings. They also decide on the deliveries that it has
   * claimed. Null if the settings have changed.
   */
  private async readLogEnd(): Promise<LogEnd | null> {
    const end = await readLogEnd(this.context.db, this.endpoint.id)
    const isCurrent = end && configFingerprint(end.endpoint) === configFingerprint(this.endpoint)
    return isCurrent ? end : null
  }

  private async claimDue(): Promise<Message[]> {
    if (!this.mayHaveDue) return []
    this.mayHaveDue = false
    const { messages, hasMore } = await claimDueDeliveries(
      this.context,
      this.endpoint,
      this.inFlightDeliveries,
    )
    if (hasMore) this.mayHaveDue = true
    return messages
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
    for (const message of messages) if (this.isStopping || !(await this.sendOrQueue(message))) return
  }

  /** Returns false if the sender stops. */
  private async sendOrQueue(message: Message): Promise<boolean> {
    const { orderingQueue } = this
    const placement = orderingQueue.place(message)
    if (placement === 'send') return this.sendUnordered(message)
    if (placement === 'keep') this.keepWaiting(message)
    if (placement === 'sendQueue') void this.sendQueue(message.delivery.resourceId as string)
    while (orderingQueue.isFull) await this.changed.wait()
    return true
  }

  private async sendUnordered(message: Message): Promise<boolean> {
    const slot = await this.acquireSlot()
    if (slot === null) return false
    void this.send(message, slot)
    return true
  }

  /** Sends the queue of a record until it is empty, a message awaits a retry, or the sender stops. */
  private async sendQueue(resourceId: string): Promise<void> {
    const { orderingQueue } = this
    let status: DeliveryStatus | null = 'delivered'
    for (let message = orderingQueue.first(resourceId); message; message = orderingQueue.first(resourceId)) {
      const slot = await this.acquireSlot()
      status = slot === null ? null : await this.send(message, slot)
      if (status === null) break
      orderingQueue.removeFirst(resourceId)
      this.changed.notify()
      if (status === 'pending') break
    }
    if (status === 'pending') orderingQueue.endRetried(resourceId).forEach((left) => this.keepWaiting(left))
    else orderingQueue.end(resourceId)
    this.recordReleased()
    this.changed.notify()
  }

  /** Keeps a message in a row until the previous message of its record is done. */
  private keepWaiting(message: Message): void {
    if (isWaiting(message)) this.inFlightDeliveries.unclaim(message)
    else this.addOutcome(heldOutcome(message))
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
    const slot = await this.slots.acquire()
    if (slot === null) this.stop()
    return slot
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
      this.slots.release(slot)
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
      customHeaders: this.customHeaders,
    })
    const reason = countAttempt(this.health, attempted)
    if (reason !== null) this.disable = reason
    const result = classifyAttempt(attempted.answer)
    this.slots.adapt(result === 'delivered')
    if (result === 'gone' || isFailing(this.health)) this.stop()
    return attemptedOutcome(endpoint, message, attempted)
  }

  private addOutcome(outcome: DeliveryOutcome): void {
    const { message } = outcome
    if (this.isLost) return
    if (outcome.delivery.status === 'cancelled' && !message.isStored)
      return this.inFlightDeliveries.settle(message)
    this.inFlightDeliveries.add(outcome)
    this.recordResults()
  }

  private recordReleased(): void {
    if (this.orderingQueue.hasReleased) this.recordResults()
  }

  private recordResults(): void {
    this.inFlightDeliveries.markDirty()
    this.context.resultWriter.enqueue(this)
  }
}
