import { PublicError } from '../../domain/errors.ts'
import type { Logger } from '../../platform/logging/log.ts'
import type { Database } from '../../storage/database.ts'
import type { Clock } from '../../domain/time.ts'
import { Signal } from '../signal.ts'
import { type DeliveryOutcome, refusedOutcome } from '../attempts/attempt-outcome.ts'
import {
  type EndpointResults,
  persistOutcome,
  persistResults,
  type PersistedResults,
} from './persist-results.ts'

/** Source of results; each endpoint sender is one. */
export interface ResultSource {
  /** Hands over the results since the last call. */
  takeResults(): EndpointResults
  /** Called after the results were written. */
  onWritten(result: WriteResult): void
  /** Called if another worker leases the endpoint or the results cannot be written. The sender must stop. */
  onLost(): void
}

/** Consequences of a write for its endpoint. */
export interface WriteResult {
  /** Released records without pending messages. */
  readonly resourcesDone: readonly string[]
  /** Whether a released record still has a message to send. */
  readonly hasDue: boolean
  readonly isDisabled: boolean
}

type SourceResults = readonly [ResultSource, EndpointResults]

interface ResultWriterDeps {
  readonly db: Database
  readonly clock: Clock
  readonly log: Logger
  readonly owner: string
}

/** Time to wait for further results, unless there is a full batch. */
const GATHER_MS = 20
const FULL_BATCH = 100
const MAX_BATCH = 1000
/** Backpressure limit: with more buffered outcomes, senders start no further message. */
const MAX_BUFFERED = 3000
const RETRY_PAUSE_MS = 500

/** Writes the results of many endpoints in batches, one transaction at a time. */
export class ResultWriter {
  /** Sources that have results to write. */
  private readonly dirty = new Set<ResultSource>()
  private bufferedOutcomes = 0
  private running: Promise<void> | null = null
  private readonly signal = new Signal()
  private isClosed = false

  constructor(private readonly deps: ResultWriterDeps) {}

  /** Registers a source that has one more result to write. */
  enqueue(source: ResultSource): void {
    this.dirty.add(source)
    this.bufferedOutcomes++
    if (this.bufferedOutcomes >= FULL_BATCH) this.signal.notify()
    this.running ??= this.run().finally(() => (this.running = null))
  }

  /** Waits while too many outcomes are buffered. */
  async waitForCapacity(): Promise<void> {
    while (this.bufferedOutcomes > MAX_BUFFERED && !this.isClosed) await this.signal.wait()
  }

  /**
   * Writes the remaining results without retries. Results that the database refuses are lost, and the next
   * worker sends their messages again.
   */
  async close(): Promise<void> {
    this.isClosed = true
    this.signal.notify()
    await this.running
  }

  private async run(): Promise<void> {
    while (this.dirty.size > 0) {
      if (this.bufferedOutcomes < FULL_BATCH && !this.isClosed) await this.signal.wait(GATHER_MS)
      const batch: SourceResults[] = []
      let outcomes = 0
      for (const source of this.dirty) {
        if (outcomes >= MAX_BATCH) break
        this.dirty.delete(source)
        const results = source.takeResults()
        outcomes += results.outcomes.length
        batch.push([source, results])
      }
      await this.write(batch)
      this.bufferedOutcomes = this.dirty.size === 0 ? 0 : Math.max(0, this.bufferedOutcomes - outcomes)
      this.signal.notify()
    }
  }

  private async write(batch: readonly SourceResults[]): Promise<void> {
    try {
      await this.writeOrSplit(batch)
    } catch (err) {
      this.deps.log.error({ err }, 'webhook results write failed, results dropped')
      for (const [source] of batch) source.onLost()
    }
  }

  /** Writes a batch. If the database refuses it, each endpoint is written alone, and then each outcome. */
  private async writeOrSplit(batch: readonly SourceResults[]): Promise<void> {
    const { db, owner, clock } = this.deps
    const entries = batch.map(([, results]) => results)
    try {
      settle(batch, await this.whenAvailable(() => persistResults(db, owner, entries, clock.now())))
    } catch (err) {
      const [first] = batch
      if (isUnavailable(err) || !first) throw err
      if (batch.length > 1) for (const result of batch) await this.write([result])
      else if (first[1].outcomes.length > 0) await this.writeSeparately(first)
      else throw err
    }
  }

  /**
   * Writes outcomes one by one, and only then the position of the endpoint. After a crash in between, the next
   * worker finds the deliveries and does not send their events again. A record whose message fails here has no
   * retry that would release it.
   */
  private async writeSeparately([source, results]: SourceResults): Promise<void> {
    const released = new Set(results.releasedResources)
    for (const outcome of results.outcomes) {
      const { resourceId } = outcome.delivery
      if (!(await this.writeOutcome(outcome)) && resourceId !== null) released.add(resourceId)
    }
    await this.writeOrSplit([[source, { ...results, outcomes: [], releasedResources: [...released] }]])
  }

  /**
   * Writes one outcome. If the database refuses it, the delivery fails: it would be refused after every attempt.
   * Returns whether it was accepted.
   */
  private async writeOutcome(outcome: DeliveryOutcome): Promise<boolean> {
    const { db, owner, clock, log } = this.deps
    const { id: deliveryId, endpointId, eventId } = outcome.delivery
    const ids = { deliveryId, endpointId, eventId }
    const write = (stored: DeliveryOutcome) =>
      this.whenAvailable(() => persistOutcome(db, owner, { outcome: stored, now: clock.now() }))
    try {
      await write(outcome)
      return true
    } catch (err) {
      if (isUnavailable(err)) throw err
      log.error({ err, ...ids }, 'webhook result refused by the database, delivery failed')
      await write(refusedOutcome(outcome, clock.now()))
      return false
    }
  }

  /** Repeats a write while the database is unavailable. */
  private async whenAvailable<T>(write: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await write()
      } catch (err) {
        if (!isUnavailable(err) || this.isClosed) throw err
        this.deps.log.warn({ err }, 'webhook results write failed, will retry')
        await this.signal.wait(RETRY_PAUSE_MS)
      }
    }
  }
}

/** Whether the write may succeed later. Other errors come from the values, which the database refuses every time. */
const isUnavailable = (error: unknown): boolean => error instanceof PublicError

function settle(batch: readonly SourceResults[], persisted: PersistedResults): void {
  for (const [source, { endpointId, releasedResources }] of batch) {
    const resourcesDone = persisted.resourcesDone.get(endpointId) ?? []
    const [hasDue, isDisabled] = [
      releasedResources.length > resourcesDone.length,
      persisted.disabled.has(endpointId),
    ]
    if (persisted.leased.has(endpointId)) source.onWritten({ resourcesDone, hasDue, isDisabled })
    else source.onLost()
  }
}
