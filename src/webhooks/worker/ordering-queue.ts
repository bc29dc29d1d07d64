import type { WebhookDelivery } from '../../subgraphs/events/webhooks/webhook-delivery.ts'
import { heldResources, releaseHeld } from '../messages/due-deliveries.ts'
import type { Message } from '../messages/message.ts'
import type { DeliveryOutcome } from '../attempts/attempt-outcome.ts'
import { Signal } from '../signal.ts'
import type { WorkerContext } from './worker-context.ts'

interface OrderingQueueDeps {
  /** Whether no message of a record is sent before the one before it has arrived or was given up. */
  readonly isOrdered: boolean
  /** A place for one more request; null where nothing more is sent. */
  room(): Promise<symbol | null>
  /** Sends a message; gives what it is now, null where nobody knows. */
  send(message: Message, slot: symbol): Promise<DeliveryOutcome['delivery']['status'] | null>
  /** Has a message wait, as a row, until the one before it is through. */
  hold(message: Message): void
  /** Leaves a message that waits as it is. */
  putBack(message: Message): void
  /** Tells that there are records whose next message may be sent. */
  release(): void
  /** Tells that nothing more of a record is sent now. */
  ended(): void
}

const MAX_QUEUED = 500

/**
 * The order in which the messages of one endpoint are sent. Where that of each record counts, a record with a message
 * that is to be sent again is held: all that comes later waits in rows without a time. Of these rows the first gets its
 * time once nothing before it is on its way; it is sent with some of those that wait for it, one after another.
 */
export class OrderingQueue {
  private readonly queues = new Map<string, Message[]>()
  private readonly held = new Set<string>()
  private released = new Set<string>()
  private queued = 0
  private readonly moved = new Signal()

  constructor(private readonly deps: OrderingQueueDeps) {}

  /** Looks which messages wait from before. */
  async begin({ db, clock }: Pick<WorkerContext, 'db' | 'clock'>, endpointId: string): Promise<void> {
    if (!this.deps.isOrdered) return releaseHeld(db, endpointId, clock.now())
    for (const [resourceId, isDue] of await heldResources(db, endpointId)) {
      this.held.add(resourceId)
      if (!isDue) this.released.add(resourceId)
    }
    if (this.released.size > 0) this.deps.release()
  }

  /** Whether messages are being sent, one after another. */
  get isBusy(): boolean {
    return this.queues.size > 0
  }

  /** The records of which messages wait for these. */
  awaited(due: readonly WebhookDelivery[]): string[] {
    if (!this.deps.isOrdered) return []
    return [...new Set(due.flatMap(({ resourceId }) => resourceId ?? []))]
  }

  /** Sends a message when its turn comes; false where nothing more is sent. */
  async take(message: Message): Promise<boolean> {
    const { resourceId } = message.delivery
    if (!this.deps.isOrdered || resourceId === null) return this.sendFreely(message)
    if (message.isStored) this.held.add(resourceId)
    if (this.held.has(resourceId) && !message.isStored) this.deps.hold(message)
    else if (waits(message) && !this.queues.has(resourceId)) this.deps.putBack(message)
    else this.queue(resourceId, message)
    while (this.queued > MAX_QUEUED) await this.moved.wait()
    return true
  }

  takeReleased(): string[] {
    const released = [...this.released]
    this.released = new Set()
    return released
  }

  /**
   * No stored message of these records waits any more. One that was put aside meanwhile waits for the next time; true
   * where there are such.
   */
  free(resourceIds: readonly string[], unrecorded: readonly DeliveryOutcome[]): boolean {
    const aside = new Set(unrecorded.map(({ delivery }) => delivery.resourceId))
    for (const id of resourceIds)
      if (aside.has(id)) this.released.add(id)
      else if (!this.queues.has(id)) this.held.delete(id)
    return this.released.size > 0
  }

  private async sendFreely(message: Message): Promise<boolean> {
    const slot = await this.deps.room()
    if (slot === null) return false
    void this.deps.send(message, slot)
    return true
  }

  private queue(resourceId: string, message: Message): void {
    this.queued++
    const queue = this.queues.get(resourceId)
    if (queue) queue.push(message)
    else {
      const begun = [message]
      this.queues.set(resourceId, begun)
      void this.work(resourceId, begun)
    }
  }

  private async work(resourceId: string, queue: Message[]): Promise<void> {
    let isRetried = false
    for (let [message] = queue; message && !isRetried; [message] = queue) {
      const slot = await this.deps.room()
      const status = slot === null ? null : await this.deps.send(message, slot)
      if (status === null) break
      queue.shift()
      this.queued--
      isRetried = status === 'pending'
      this.moved.notify()
    }
    this.queued -= queue.length
    this.queues.delete(resourceId)
    if (isRetried) this.holdAll(resourceId, queue)
    else if (this.held.has(resourceId)) this.release(resourceId)
    this.moved.notify()
    this.deps.ended()
  }

  private holdAll(resourceId: string, queue: readonly Message[]): void {
    this.held.add(resourceId)
    for (const message of queue)
      if (waits(message)) this.deps.putBack(message)
      else this.deps.hold(message)
  }

  private release(resourceId: string): void {
    this.released.add(resourceId)
    this.deps.release()
  }
}

/** Whether it has a row that waits for an earlier message of its record. */
const waits = ({ isStored, delivery }: Message): boolean => isStored && delivery.nextAttemptAt === null
