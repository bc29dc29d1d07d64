import type { DeliveryOutcome } from '../attempts/attempt-outcome.ts'
import type { Message } from '../messages/message.ts'

/**
 * What to do with a message: send it at once, send the queue that it started, nothing because it is queued, or
 * keep it in a row until the previous message of its record is done.
 */
type Placement = 'send' | 'sendQueue' | 'queued' | 'keep'

const MAX_QUEUED = 500

/**
 * Orders the messages of one endpoint. If the endpoint is ordered, the messages of a record are sent one at a
 * time. A record with a message that awaits a retry is held: its later messages wait in rows without a
 * `nextAttemptAt`. When no earlier message is in flight, the record is released: the first waiting row becomes
 * due. It is sent together with some of the rows that wait for it, one after another.
 */
export class OrderingQueue {
  private readonly queues = new Map<string, Message[]>()
  private readonly held = new Set<string>()
  private released = new Set<string>()
  private queued = 0

  constructor(private readonly isOrdered: boolean) {}

  /** Whether a record has an in-memory queue. */
  get isBusy(): boolean {
    return this.queues.size > 0
  }

  get isFull(): boolean {
    return this.queued > MAX_QUEUED
  }

  /** Whether `takeReleased` has records whose next message may become due. */
  get hasReleased(): boolean {
    return this.released.size > 0
  }

  /** Holds the records with pending deliveries, and releases those of which none is due. */
  load(pending: ReadonlyMap<string, boolean>): void {
    for (const [resourceId, isDue] of pending) {
      this.held.add(resourceId)
      if (!isDue) this.released.add(resourceId)
    }
  }

  place(message: Message): Placement {
    const { resourceId } = message.delivery
    if (!this.isOrdered || resourceId === null) return 'send'
    const queue = this.queues.get(resourceId)
    if (message.isStored) this.held.add(resourceId)
    if (message.isStored ? isWaiting(message) && !queue : this.held.has(resourceId)) return 'keep'
    this.queued++
    if (queue) queue.push(message)
    else this.queues.set(resourceId, [message])
    return queue ? 'queued' : 'sendQueue'
  }

  first(resourceId: string): Message | undefined {
    return this.queues.get(resourceId)?.[0]
  }

  removeFirst(resourceId: string): void {
    if (this.queues.get(resourceId)?.shift()) this.queued--
  }

  /** Ends a queue whose last message awaits a retry. Returns the messages that wait for it. */
  endRetried(resourceId: string): readonly Message[] {
    this.held.add(resourceId)
    return this.remove(resourceId)
  }

  /** Ends a queue that is empty, or whose sender stops. */
  end(resourceId: string): void {
    this.remove(resourceId)
    if (this.held.has(resourceId)) this.released.add(resourceId)
  }

  /** Hands over the records whose next waiting message may become due. */
  takeReleased(): string[] {
    const released = [...this.released]
    this.released = new Set()
    return released
  }

  /**
   * Ends the hold on records without pending messages. If another message of a record was held meanwhile, the
   * record stays held and is released with the next write.
   */
  endHold(resourceIds: readonly string[], bufferedOutcomes: readonly DeliveryOutcome[]): void {
    const heldMeanwhile = new Set(bufferedOutcomes.map(({ delivery }) => delivery.resourceId))
    for (const id of resourceIds)
      if (heldMeanwhile.has(id)) this.released.add(id)
      else if (!this.queues.has(id)) this.held.delete(id)
  }

  private remove(resourceId: string): readonly Message[] {
    const left = this.queues.get(resourceId) ?? []
    this.queues.delete(resourceId)
    this.queued -= left.length
    return left
  }
}

/** Whether a message has a row that waits for an earlier message of the record. */
export const isWaiting = ({ isStored, delivery }: Message): boolean =>
  isStored && delivery.nextAttemptAt === null
