import type { Database } from '../../storage/database.ts'
import { Bell } from './bell.ts'
import { heldResources } from '../delivery/due-deliveries.ts'
import type { Message } from '../delivery/message.ts'
import type { Outcome } from '../delivery/outcome.ts'

interface LaneTools {
  /** Whether no message of a record is sent before the one before it has arrived or was given up. */
  readonly isOrdered: boolean
  /** A place for one more request; null where nothing more is sent. */
  room(): Promise<symbol | null>
  /** Sends a message; gives what it is now, null where nobody knows. */
  send(message: Message, slot: symbol): Promise<Outcome['delivery']['status'] | null>
  /** Puts a message aside until the one before it is through. */
  hold(message: Message): void
  /** Tells that there are records whose next message may be sent. */
  release(): void
}

const MOST_QUEUED = 500

/** The order in which the messages of one endpoint are sent. */
export class Lanes {
  private readonly queues = new Map<string, Message[]>()
  /** Records with a message that is to be sent again: what comes later waits for it. */
  private readonly held = new Set<string>()
  private released = new Set<string>()
  private queued = 0
  private readonly moved = new Bell()

  constructor(private readonly tools: LaneTools) {}

  /** Looks which messages wait from before; where the order no longer matters they are let go, one after another. */
  async begin(db: Pick<Database, 'rows'>, endpointId: string): Promise<void> {
    for (const [resourceId, { isDue, waits }] of await heldResources(db, endpointId)) {
      if (this.tools.isOrdered || waits) this.held.add(resourceId)
      if (waits && (!this.tools.isOrdered || !isDue)) this.released.add(resourceId)
    }
    if (this.released.size > 0) this.tools.release()
  }

  /** Sends a message when its turn comes; false where nothing more is sent. */
  async take(message: Message): Promise<boolean> {
    const { resourceId } = message.delivery
    if (!this.tools.isOrdered || resourceId === null) return this.sendFreely(message)
    if (this.held.has(resourceId) && !message.isStored) {
      this.tools.hold(message)
      return true
    }
    this.queue(resourceId, message)
    while (this.queued > MOST_QUEUED) await this.moved.wait()
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
  free(resourceIds: readonly string[], unrecorded: readonly Outcome[]): boolean {
    const aside = new Set(unrecorded.map(({ delivery }) => delivery.resourceId))
    for (const id of resourceIds)
      if (aside.has(id)) this.released.add(id)
      else if (!this.queues.has(id)) this.held.delete(id)
    return this.released.size > 0
  }

  private async sendFreely(message: Message): Promise<boolean> {
    const slot = await this.tools.room()
    if (slot === null) return false
    void this.tools.send(message, slot).then((status) => this.through(message, status))
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
    for (let [message] = queue; message; [message] = queue) {
      const slot = await this.tools.room()
      const status = slot === null ? null : await this.tools.send(message, slot)
      if (status === null) break
      queue.shift()
      this.queued--
      if (status === 'pending') this.holdAll(resourceId, queue)
      this.through(message, status)
      this.moved.ring()
    }
    this.queued -= queue.length
    this.queues.delete(resourceId)
    this.moved.ring()
  }

  private holdAll(resourceId: string, queue: Message[]): void {
    this.held.add(resourceId)
    this.queued -= queue.length
    for (const message of queue.splice(0)) this.tools.hold(message)
  }

  /** What waited for a message waits no more once that has arrived or was given up. */
  private through({ isStored, delivery: { resourceId } }: Message, status: string | null): void {
    if (status === null || status === 'pending' || resourceId === null) return
    if (!isStored || !this.held.has(resourceId)) return
    this.released.add(resourceId)
    this.tools.release()
  }
}
