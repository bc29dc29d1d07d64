import type { WebhookDelivery } from '../../subgraphs/events/webhooks/webhook-delivery.ts'
import { pendingResources, makeWaitingDue } from '../messages/due-deliveries.ts'
import type { Message } from '../messages/message.ts'
import type { DeliveryOutcome } from '../attempts/attempt-outcome.ts'
import { Signal } from '../signal.ts'
import type { WorkerContext } from './worker-context.ts'

interface OrderingQueueDeps {
  /** Whether a message must wait until the previous message of its record was delivered or finally failed. */
  readonly isOrdered: boolean
  /** Acquires a slot for one request. Null if the sender stops. */
  acquireSlot(): Promise<symbol | null>
  /** Sends a message. Returns the new status of its delivery; null if the result is unknown. */
  send(message: Message, slot: symbol): Promise<DeliveryOutcome['delivery']['status'] | null>
  /** Stores a message as a waiting row until the previous message of its record is done. */
  hold(message: Message): void
  /** Returns a stored waiting message unsent; its row is unchanged. */
  putBack(message: Message): void
  /** Signals that `takeReleased` has records whose next message may become due. */
  notifyReleased(): void
  /** Signals that the in-memory queue of a record has ended. */
  queueEnded(): void
}

const MAX_QUEUED = 500

/**
 * Orders the messages of one endpoint. If the endpoint is ordered, the messages of a record are sent one at a
 * time. A record with a message that awaits a retry is held: its later messages wait in rows without a
 * `nextAttemptAt`. When no earlier message is in flight, the first waiting row becomes due. It is sent
 * together with some of the rows that wait for it, one after another.
 */
export class OrderingQueue {
  private readonly queues = new Map<string, Message[]>()
  private readonly held = new Set<string>()
  private released = new Set<string>()
  private queued = 0
  private readonly queueChanged = new Signal()

  constructor(private readonly deps: OrderingQueueDeps) {}

  /** Loads the held records. Without ordering, makes all waiting deliveries due instead. */
  async loadHeld({ db, clock }: Pick<WorkerContext, 'db' | 'clock'>, endpointId: string): Promise<void> {
    if (!this.deps.isOrdered) return makeWaitingDue(db, endpointId, clock.now())
    for (const [resourceId, isDue] of await pendingResources(db, endpointId)) {
      this.held.add(resourceId)
      if (!isDue) this.released.add(resourceId)
    }
    if (this.released.size > 0) this.deps.notifyReleased()
  }

  /** Whether a record has an in-memory queue. */
  get isBusy(): boolean {
    return this.queues.size > 0
  }

  /** Records of these deliveries; later messages of the records may wait for them. */
  resourcesOf(due: readonly WebhookDelivery[]): string[] {
    if (!this.deps.isOrdered) return []
    return [...new Set(due.flatMap(({ resourceId }) => resourceId ?? []))]
  }

  /** Sends, queues or holds a message. Returns false if the sender stops. */
  async enqueue(message: Message): Promise<boolean> {
    const { resourceId } = message.delivery
    if (!this.deps.isOrdered || resourceId === null) return this.sendUnordered(message)
    if (message.isStored) this.held.add(resourceId)
    if (this.held.has(resourceId) && !message.isStored) this.deps.hold(message)
    else if (isWaiting(message) && !this.queues.has(resourceId)) this.deps.putBack(message)
    else this.queue(resourceId, message)
    while (this.queued > MAX_QUEUED) await this.queueChanged.wait()
    return true
  }

  /** Hands over the records whose next waiting message may become due. */
  takeReleased(): string[] {
    const released = [...this.released]
    this.released = new Set()
    return released
  }

  /**
   * Ends the hold on records without pending messages. If another message of a record was held meanwhile, the
   * record stays held and is released with the next write. Returns whether there are released records.
   */
  endHold(resourceIds: readonly string[], unrecorded: readonly DeliveryOutcome[]): boolean {
    const heldMeanwhile = new Set(unrecorded.map(({ delivery }) => delivery.resourceId))
    for (const id of resourceIds)
      if (heldMeanwhile.has(id)) this.released.add(id)
      else if (!this.queues.has(id)) this.held.delete(id)
    return this.released.size > 0
  }

  private async sendUnordered(message: Message): Promise<boolean> {
    const slot = await this.deps.acquireSlot()
    if (slot === null) return false
    void this.deps.send(message, slot)
    return true
  }

  private queue(resourceId: string, message: Message): void {
    this.queued++
    const queue = this.queues.get(resourceId)
    if (queue) queue.push(message)
    else {
      const started = [message]
      this.queues.set(resourceId, started)
      void this.sendQueue(resourceId, started)
    }
  }

  private async sendQueue(resourceId: string, queue: Message[]): Promise<void> {
    let isRetried = false
    for (let [message] = queue; message && !isRetried; [message] = queue) {
      const slot = await this.deps.acquireSlot()
      const status = slot === null ? null : await this.deps.send(message, slot)
      if (status === null) break
      queue.shift()
      this.queued--
      isRetried = status === 'pending'
      this.queueChanged.notify()
    }
    this.queued -= queue.length
    this.queues.delete(resourceId)
    if (isRetried) this.holdAll(resourceId, queue)
    else if (this.held.has(resourceId)) this.release(resourceId)
    this.queueChanged.notify()
    this.deps.queueEnded()
  }

  private holdAll(resourceId: string, queue: readonly Message[]): void {
    this.held.add(resourceId)
    for (const message of queue)
      if (isWaiting(message)) this.deps.putBack(message)
      else this.deps.hold(message)
  }

  private release(resourceId: string): void {
    this.released.add(resourceId)
    this.deps.notifyReleased()
  }
}

/** Whether a message has a row that waits for an earlier message of the record. */
const isWaiting = ({ isStored, delivery }: Message): boolean => isStored && delivery.nextAttemptAt === null
