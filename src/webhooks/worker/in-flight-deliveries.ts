import type { WebhookDelivery } from '../../subgraphs/events/webhooks/webhook-delivery.ts'
import { AckWatermark, type WatermarkStep } from './ack-watermark.ts'
import type { Message } from '../messages/message.ts'
import type { DeliveryOutcome } from '../attempts/attempt-outcome.ts'

/** Tracks the messages of one endpoint that are in flight. Keeps each result until it is written. */
export class InFlightDeliveries {
  private readonly watermark: AckWatermark
  private readonly steps = new Map<Message, WatermarkStep>()
  /** Ids of the stored deliveries that are claimed. A read does not claim them a second time. */
  private readonly claimed = new Set<string>()
  /** Deliveries written since the current read began: the read may have seen their previous state. */
  private readonly writtenSinceRead = new Set<string>()
  private beingWritten: readonly DeliveryOutcome[] | null = null
  private isDirty = false
  /** Outcomes that the writer has not taken yet. */
  bufferedOutcomes: DeliveryOutcome[] = []

  constructor(position: number) {
    this.watermark = new AckWatermark(position)
  }

  /** Position up to which the log was read. */
  get readPosition(): number {
    return this.watermark.readPosition
  }

  /** Log position up to which every message has a result to write, or needs none. */
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

  /**
   * Reads deliveries and claims them, except those that are claimed already or were written during the read. Reads must
   * not overlap.
   */
  async claim(readDeliveries: () => Promise<readonly WebhookDelivery[]>): Promise<WebhookDelivery[]> {
    this.writtenSinceRead.clear()
    const found = await readDeliveries()
    const unclaimed = found.filter(({ id }) => !this.claimed.has(id) && !this.writtenSinceRead.has(id))
    for (const { id } of unclaimed) this.claimed.add(id)
    return unclaimed
  }

  /** Ends the claim of a stored message that is not sent now; its row is unchanged. */
  unclaim({ delivery }: Message): void {
    this.claimed.delete(delivery.id)
  }

  add(outcome: DeliveryOutcome): void {
    this.bufferedOutcomes.push(outcome)
  }

  /** Marks that the next write has something to store: a result, the position or released records. */
  markDirty(): void {
    this.isDirty = true
  }

  /** Lets the log position pass a message whose result is handed over to the writer, or that needs none. */
  settle(message: Message): void {
    const step = this.steps.get(message)
    if (step) step.isSettled = true
    this.steps.delete(message)
  }

  /** Returns the results to write. The writer must call `onWritten` afterwards. */
  takeResults(): readonly DeliveryOutcome[] {
    const outcomes = this.bufferedOutcomes
    this.bufferedOutcomes = []
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
    this.bufferedOutcomes = []
    this.beingWritten = null
    this.isDirty = false
  }
}
