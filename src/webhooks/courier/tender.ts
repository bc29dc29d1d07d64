import type { DeliveryStatus } from '../../subgraphs/events/webhooks/webhook-delivery.ts'
import type { DisabledReason, WebhookEndpoint } from '../../subgraphs/events/webhooks/webhook-endpoint.ts'
import type { WebhookProgress } from '../../subgraphs/events/webhooks/webhook-progress.ts'
import { Bell } from './bell.ts'
import {
  isFailing,
  mayProbeFrom,
  mayRetryFrom,
  type Verdict,
  verdictOf,
} from '../delivery/delivery-schedule.ts'
import type { Depot } from './depot.ts'
import { dueDeliveries, messagesOf, newMessages, waitingDeliveries } from '../delivery/due-deliveries.ts'
import { Lanes } from './lanes.ts'
import { Ledger } from './ledger.ts'
import type { LogWindow } from '../delivery/log-window.ts'
import type { Message } from '../delivery/message.ts'
import {
  cancelledOutcome,
  count,
  heldOutcome,
  type Outcome,
  type Standing,
  triedOutcome,
  unmadeOutcome,
} from '../delivery/outcome.ts'
import { Pace } from './pace.ts'
import type { Entry } from '../delivery/record.ts'
import type { Aftermath, Recording } from '../delivery/recorder.ts'
import { type OpenSecret, post } from '../delivery/post.ts'

/** An endpoint that has been told all is kept for a moment: more may come. */
const LINGER_MS = 1000
const FIRST_WIDTH = 2

/** Tells one endpoint the log, for as long as this worker has it. */
export class Tender implements Recording {
  /** When it was taken. */
  readonly since = performance.now()
  private readonly changed = new Bell()
  private readonly ledger: Ledger
  private readonly pace: Pace
  private readonly standing: Standing
  private readonly lanes: Lanes
  private disable: DisabledReason | null = null
  private inFlight = 0
  private width: number
  private isNudged = false
  private mayHaveDue = true
  private isStopping = false
  private isLost = false

  constructor(
    private readonly depot: Depot,
    readonly endpoint: WebhookEndpoint,
    { position, failures, failingSince, lastSuccessAt, lastAttemptAt }: WebhookProgress,
    public secrets: readonly OpenSecret[],
  ) {
    this.ledger = new Ledger(position)
    this.standing = { failures, failingSince, lastSuccessAt, lastAttemptAt }
    this.width = isFailing(this.standing) ? 1 : Math.min(FIRST_WIDTH, endpoint.concurrency)
    this.pace = new Pace(endpoint.ratePerSecond)
    this.lanes = new Lanes({
      isOrdered: endpoint.ordering === 'resource',
      room: () => this.room(),
      send: (message, slot) => this.send(message, slot),
      hold: (message) => this.note(heldOutcome(message)),
      putBack: (message) => this.ledger.putBack(message),
      release: () => this.tellRecorder(),
      ended: () => this.changed.ring(),
    })
  }

  /** How far it has been told the log; null where another worker has it by now. */
  get position(): number | null {
    return this.isLost ? null : this.ledger.position
  }

  /** Tells it all there is, until there is no more or it is to stop; then all of it is recorded. */
  async run(): Promise<void> {
    try {
      await this.lanes.begin(this.depot, this.endpoint.id)
      while (!this.isStopping && ((await this.round()) || (await this.rest())));
    } finally {
      this.stop()
      while (this.isBusy) await this.changed.wait()
    }
  }

  /** Sends nothing more, and ends when what is under way has ended. */
  stop(): void {
    this.isStopping = true
    this.changed.ring()
  }

  /** There may be something new: more of the log, or a message whose time has come. */
  nudge(what: 'log' | 'due' = 'log'): void {
    if (what === 'due') this.mayHaveDue = true
    this.isNudged = true
    this.changed.ring()
  }

  entry(): Entry {
    const outcomes = this.ledger.take()
    const { disable } = this
    this.disable = null
    return {
      endpointId: this.endpoint.id,
      applicationId: this.endpoint.applicationId,
      position: this.ledger.position,
      standing: { ...this.standing },
      outcomes,
      released: this.lanes.takeReleased(),
      disable,
    }
  }

  recorded({ free, isDisabled, hasDue }: Aftermath): void {
    this.ledger.recorded()
    if (this.lanes.free(free, this.ledger.unrecorded)) this.tellRecorder()
    if (isDisabled) this.stop()
    else this.nudge(hasDue ? 'due' : 'log')
  }

  lost(): void {
    this.isLost = true
    this.ledger.drop()
    this.stop()
  }

  private get isBusy(): boolean {
    return this.inFlight > 0 || this.lanes.isBusy || (!this.isLost && this.ledger.isOpen)
  }

  /** Sends what is due and the next stretch of the log; false where there was neither. */
  private async round(): Promise<boolean> {
    this.isNudged = false
    const { depot, endpoint, standing } = this
    if (depot.clock.now() < mayRetryFrom(standing)) return this.leave()
    const again = await this.dueAgain()
    await this.sendAll(again)
    if (this.isStopping) return false
    if (depot.clock.now() < mayProbeFrom(standing)) return again.length > 0 || this.leave()
    const window = await depot.windows.after(endpoint, this.ledger.read, depot.windowSize())
    if (window) await this.sendAll(await this.newMessages(window))
    return again.length > 0 || window !== null
  }

  /** Messages that were sent before, or waited, and whose time has come, and what waits for them in turn. */
  private async dueAgain(): Promise<Message[]> {
    if (!this.mayHaveDue) return []
    this.mayHaveDue = false
    const { depot, endpoint, ledger } = this
    const { db, bodies, clock } = depot
    const most = depot.windowSize() + ledger.countUnderWay
    const due = await ledger.begin(async () => {
      const found = await dueDeliveries(db, endpoint.id, { now: clock.now(), most })
      if (found.length === most) this.mayHaveDue = true
      return found
    })
    const waiting = await ledger.begin(() =>
      waitingDeliveries(db, endpoint.id, this.lanes.awaited(due), depot.windowSize()),
    )
    return messagesOf(db, bodies, endpoint, [...due, ...waiting])
  }

  /** What a failing endpoint may be sent next comes later: whoever looks then has it. */
  private leave(): false {
    this.stop()
    return false
  }

  private async newMessages(window: LogWindow): Promise<Message[]> {
    const { db, clock } = this.depot
    const messages = await newMessages(db, this.endpoint, window, clock.now())
    this.ledger.extend(messages, window.through)
    return messages
  }

  private async sendAll(messages: readonly Message[]): Promise<void> {
    for (const message of messages) if (this.isStopping || !(await this.lanes.take(message))) return
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
    const { slots, recorder } = this.depot
    while (this.inFlight >= this.width && !this.isStopping) await this.changed.wait()
    if (this.isStopping) return null
    this.inFlight++
    await recorder.room()
    await this.waitFor(this.pace.takeTurn(performance.now()))
    const slot = await slots.acquire()
    if (!this.isStopping && (await this.depot.isConfirmed()) && !this.isStopping) return slot
    slots.release(slot)
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
      if (!this.depot.signal.aborted) this.depot.log.error({ err }, 'a webhook could not be sent')
      this.stop()
      return null
    } finally {
      this.depot.slots.release(slot)
      this.inFlight--
      this.changed.ring()
    }
  }

  private async outcomeOf(message: Message): Promise<Outcome> {
    const { endpoint, depot } = this
    const startedAt = depot.clock.now()
    if (!(await depot.connections.isWanted(endpoint, message))) return cancelledOutcome(message)
    if (message.body.fault !== undefined) return unmadeOutcome(endpoint, message, startedAt)
    const tried = await post(depot, { endpoint, message, text: message.body.text, secrets: this.secrets })
    const reason = count(this.standing, tried)
    if (reason !== null) this.disable = reason
    this.adapt(verdictOf(tried.answer))
    return triedOutcome(endpoint, message, tried)
  }

  /** As many at once as the endpoint bears: it shows with each that arrives, and with the first that does not. */
  private adapt(verdict: Verdict): void {
    this.width = verdict === 'delivered' ? Math.min(this.width * 2, this.endpoint.concurrency) : 1
    if (verdict === 'gone' || isFailing(this.standing)) this.stop()
  }

  private note(outcome: Outcome): void {
    const { message } = outcome
    if (this.isLost) return
    if (outcome.delivery.status === 'cancelled' && !message.isStored) return this.ledger.settle(message)
    this.ledger.add(outcome)
    this.tellRecorder()
  }

  private tellRecorder(): void {
    this.ledger.markDirty()
    this.depot.recorder.note(this)
  }
}
