import { PublicError } from '../../domain/errors.ts'
import type { Logger } from '../../platform/logging/log.ts'
import type { Database } from '../../storage/database.ts'
import type { Clock } from '../../domain/time.ts'
import { Signal } from '../signal.ts'
import { type EndpointResults, persistResults, type PersistedResults } from './persist-results.ts'

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
/** Backpressure limit: with more unwritten outcomes, senders start no further message. */
const MAX_UNWRITTEN = 3000
const RETRY_PAUSE_MS = 500

/** Writes the results of many endpoints in batches, one transaction at a time. */
export class ResultWriter {
  private readonly dirty = new Set<ResultSource>()
  private unwritten = 0
  private running: Promise<void> | null = null
  private readonly signal = new Signal()
  private isClosed = false

  constructor(private readonly deps: ResultWriterDeps) {}

  /** Registers a source that has one more result to write. */
  enqueue(subscriber: ResultSource): void {
    this.dirty.add(subscriber)
    this.unwritten++
    if (this.unwritten >= FULL_BATCH) this.signal.notify()
    this.running ??= this.run().finally(() => (this.running = null))
  }

  /** Waits while too many outcomes are unwritten. */
  async waitForCapacity(): Promise<void> {
    while (this.unwritten > MAX_UNWRITTEN && !this.isClosed) await this.signal.wait()
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
      if (this.unwritten < FULL_BATCH && !this.isClosed) await this.signal.wait(GATHER_MS)
      const batch: [ResultSource, EndpointResults][] = []
      let outcomes = 0
      for (const subscriber of this.dirty) {
        if (outcomes >= MAX_BATCH) break
        this.dirty.delete(subscriber)
        const takeResults = subscriber.takeResults()
        outcomes += takeResults.outcomes.length
        batch.push([subscriber, takeResults])
      }
      await this.write(batch)
      this.unwritten = this.dirty.size === 0 ? 0 : Math.max(0, this.unwritten - outcomes)
      this.signal.notify()
    }
  }

  private async write(batch: readonly [ResultSource, EndpointResults][]): Promise<void> {
    const { db, owner, clock, log } = this.deps
    for (;;) {
      try {
        const entries = batch.map(([, takeResults]) => takeResults)
        return settle(batch, await persistResults(db, owner, entries, clock.now()))
      } catch (err) {
        const isUnavailable = err instanceof PublicError
        if (isUnavailable && !this.isClosed) {
          log.warn({ err }, 'webhook results write failed, will retry')
          await this.signal.wait(RETRY_PAUSE_MS)
        } else if (!isUnavailable && batch.length > 1) {
          for (const result of batch) await this.write([result])
          return
        } else {
          log.error({ err }, 'webhook results write failed, results dropped')
          for (const [subscriber] of batch) subscriber.onLost()
          return
        }
      }
    }
  }
}

function settle(batch: readonly [ResultSource, EndpointResults][], persisted: PersistedResults): void {
  for (const [subscriber, { endpointId, releasedResources }] of batch) {
    const resourcesDone = persisted.resourcesDone.get(endpointId) ?? []
    const [hasDue, isDisabled] = [
      releasedResources.length > resourcesDone.length,
      persisted.disabled.has(endpointId),
    ]
    if (persisted.leased.has(endpointId)) subscriber.onWritten({ resourcesDone, hasDue, isDisabled })
    else subscriber.onLost()
  }
}
