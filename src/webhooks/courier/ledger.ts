import { Advance, type Step } from '../delivery/advance.ts'
import type { Message } from '../delivery/message.ts'
import type { Outcome } from '../delivery/outcome.ts'

/** What one endpoint was told and what of it is recorded. */
export class Ledger {
  private readonly advance: Advance
  private readonly steps = new Map<Message, Step>()
  /** Deliveries with a row that is not up to date yet. */
  private readonly underWay = new Set<string>()
  private beingRecorded: readonly Outcome[] | null = null
  private isDirty = false
  unrecorded: Outcome[] = []

  constructor(position: number) {
    this.advance = new Advance(position)
  }

  /** How far the log was read. */
  get read(): number {
    return this.advance.read
  }

  /** How far all of it is recorded. */
  get position(): number {
    return this.advance.position
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
    const steps = this.advance.extend(
      messages.map(({ delivery }) => delivery.position as number),
      through,
    )
    messages.forEach((message, index) => this.steps.set(message, steps[index] as Step))
  }

  /** Those of stored messages that are not being sent already; from now on they are. */
  begin(messages: readonly Message[]): Message[] {
    const others = messages.filter(({ delivery }) => !this.underWay.has(delivery.id))
    for (const { delivery } of others) this.underWay.add(delivery.id)
    return others
  }

  add(outcome: Outcome): void {
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
  take(): readonly Outcome[] {
    const outcomes = this.unrecorded
    this.unrecorded = []
    this.beingRecorded = outcomes
    this.isDirty = false
    for (const { message } of outcomes) this.settle(message)
    return outcomes
  }

  recorded(): void {
    for (const { delivery } of this.beingRecorded ?? []) this.underWay.delete(delivery.id)
    this.beingRecorded = null
  }

  /** Nothing of it can be recorded any more. */
  drop(): void {
    this.unrecorded = []
    this.beingRecorded = null
    this.isDirty = false
  }
}
