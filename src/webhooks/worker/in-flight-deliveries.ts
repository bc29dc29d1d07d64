import type { WebhookDelivery } from '../../subgraphs/events/webhooks/webhook-delivery.ts'
import { AckWatermark, type WatermarkStep } from './ack-watermark.ts'
import type { Message } from '../messages/message.ts'
import type { DeliveryOutcome } from '../attempts/attempt-outcome.ts'

/** What one endpoint was told and what of it is recorded. */
export class InFlightDeliveries {
  private readonly watermark: AckWatermark
  private readonly steps = new Map<Message, WatermarkStep>()
  /** Deliveries with a row that is not up to date yet. */
  private readonly underWay = new Set<string>()
  /** Those that were recorded since a read of deliveries began: it may have seen them as they were before. */
  private readonly ended = new Set<string>()
  private beingRecorded: readonly DeliveryOutcome[] | null = null
  private isDirty = false
  unrecorded: DeliveryOutcome[] = []

  constructor(position: number) {
    this.watermark = new AckWatermark(position)
  }

  /** How far the log was read. */
  get read(): number {
    return this.watermark.read
  }

  /** How far all of it is recorded. */
  get position(): number {
    return this.watermark.position
  }

  /** Whether there is something that is not recorded yet. */
  get isOpen(): boolean {
    return this.isDirty || this.beingRecorded !== null
  }

  get countUnderWay(): number {
    return this.underWay.size
  }

  /** Adds messages of the log, and how far they reach. */
  extend(messages: readonly Message[], through: number): void {
    const steps = this.watermark.extend(
      messages.map(({ delivery }) => delivery.position as number),
      through,
    )
    messages.forEach((message, index) => this.steps.set(message, steps[index] as WatermarkStep))
  }

  /** Those of stored deliveries that are not being sent already; from now on they are. One read at a time. */
  async begin(read: () => Promise<readonly WebhookDelivery[]>): Promise<WebhookDelivery[]> {
    this.ended.clear()
    const found = await read()
    const others = found.filter(({ id }) => !this.underWay.has(id) && !this.ended.has(id))
    for (const { id } of others) this.underWay.add(id)
    return others
  }

  /** A stored message is not sent now after all: its row is as it was. */
  putBack({ delivery }: Message): void {
    this.underWay.delete(delivery.id)
  }

  add(outcome: DeliveryOutcome): void {
    this.unrecorded.push(outcome)
  }

  /** Something is to be recorded, if only how far it is. */
  markDirty(): void {
    this.isDirty = true
  }

  /** Nothing is to be recorded of a message. */
  settle(message: Message): void {
    const step = this.steps.get(message)
    if (step) step.isSettled = true
    this.steps.delete(message)
  }

  /** Hands over what is to be recorded. */
  take(): readonly DeliveryOutcome[] {
    const outcomes = this.unrecorded
    this.unrecorded = []
    this.beingRecorded = outcomes
    this.isDirty = false
    for (const { message } of outcomes) this.settle(message)
    return outcomes
  }

  recorded(): void {
    for (const { delivery } of this.beingRecorded ?? []) {
      this.underWay.delete(delivery.id)
      this.ended.add(delivery.id)
    }
    this.beingRecorded = null
  }

  /** Nothing of it can be recorded any more. */
  drop(): void {
    this.unrecorded = []
    this.beingRecorded = null
    this.isDirty = false
  }
}
