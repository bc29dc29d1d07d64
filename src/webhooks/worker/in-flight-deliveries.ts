import type { WebhookDelivery } from '../../subgraphs/events/webhooks/webhook-delivery.ts'
import { AckWatermark, type WatermarkStep } from './ack-watermark.ts'
import type { Message } from '../messages/message.ts'
import type { DeliveryOutcome } from '../attempts/attempt-outcome.ts'

/** Messages of one endpoint in flight, and their results until these are written. */
export class InFlightDeliveries {
  private readonly watermark: AckWatermark
  private readonly steps = new Map<Message, WatermarkStep>()
  /** Stored deliveries in flight or with an unwritten result: their rows are out of date. */
  private readonly claimed = new Set<string>()
  /** Deliveries written since the current read began: the read may have seen their previous state. */
  private readonly writtenSinceRead = new Set<string>()
  private beingWritten: readonly DeliveryOutcome[] | null = null
  private isDirty = false
  unwritten: DeliveryOutcome[] = []

  constructor(position: number) {
    this.watermark = new AckWatermark(position)
  }

  /** Position up to which the log was read. */
  get readPosition(): number {
    return this.watermark.readPosition
  }

  /** Acknowledged log position. */
  get position(): number {
    return this.watermark.position
  }

  /** Whether a result or a position is not written yet. */
  get isOpen(): boolean {
    return this.isDirty || this.beingWritten !== null
  }

  get claimedCount(): number {
    return this.claimed.size
  }

  /** Adds messages from the log, which was read up to `through`. */
  extend(messages: readonly Message[], through: number): void {
    const steps = this.watermark.extend(
      messages.map(({ delivery }) => delivery.position as number),
      through,
    )
    messages.forEach((message, index) => this.steps.set(message, steps[index] as WatermarkStep))
  }

  /** Claims the deliveries of a read that are not in flight. Reads must not overlap. */
  async claim(readPosition: () => Promise<readonly WebhookDelivery[]>): Promise<WebhookDelivery[]> {
    this.writtenSinceRead.clear()
    const found = await readPosition()
    const unclaimed = found.filter(({ id }) => !this.claimed.has(id) && !this.writtenSinceRead.has(id))
    for (const { id } of unclaimed) this.claimed.add(id)
    return unclaimed
  }

  /** Ends the claim of a stored message that is not sent now; its row is unchanged. */
  unclaim({ delivery }: Message): void {
    this.claimed.delete(delivery.id)
  }

  add(outcome: DeliveryOutcome): void {
    this.unwritten.push(outcome)
  }

  /** Marks that a result, or at least the position, has to be written. */
  markDirty(): void {
    this.isDirty = true
  }

  /** Marks a message as acknowledged: its result is handed over, or it needs none. */
  settle(message: Message): void {
    const step = this.steps.get(message)
    if (step) step.isSettled = true
    this.steps.delete(message)
  }

  /** Hands over the results to write. */
  takeResults(): readonly DeliveryOutcome[] {
    const outcomes = this.unwritten
    this.unwritten = []
    this.beingWritten = outcomes
    this.isDirty = false
    for (const { message } of outcomes) this.settle(message)
    return outcomes
  }

  /** Ends the claims of the deliveries whose results were written. */
  onWritten(): void {
    for (const { delivery } of this.beingWritten ?? []) {
      this.claimed.delete(delivery.id)
      this.writtenSinceRead.add(delivery.id)
    }
    this.beingWritten = null
  }

  /** Drops all results, because they can no longer be written. */
  drop(): void {
    this.unwritten = []
    this.beingWritten = null
    this.isDirty = false
  }
}
