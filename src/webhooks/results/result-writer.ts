import { PublicError } from '../../domain/errors.ts'
import type { Logger } from '../../platform/logging/log.ts'
import type { Database } from '../../storage/database.ts'
import type { Clock } from '../../domain/time.ts'
import { Signal } from '../signal.ts'
import { type EndpointResults, persistResults, type PersistedResults } from './persist-results.ts'

/** Who has something to be recorded. */
export interface ResultSubscriber {
  /** Hands over what there is. */
  entry(): EndpointResults
  /** It is recorded, and what this led to. */
  recorded(result: WriteResult): void
  /** Another worker has the endpoint, or it cannot be recorded: nothing more is to be done for it. */
  lost(): void
}

/** What a record has led to. */
export interface WriteResult {
  /** Records of which no message waits any more. */
  readonly free: readonly string[]
  /** Whether a message that waited is to be sent now. */
  readonly hasDue: boolean
  readonly isDisabled: boolean
}

interface ResultWriterDeps {
  readonly db: Database
  readonly clock: Clock
  readonly log: Logger
  readonly owner: string
}

const GATHER_MS = 20
const ENOUGH = 100
const MAX_AT_ONCE = 1000
/** With so many outcomes in memory no further message is sent. */
const MAX_WAITING = 3000
const PAUSE_MS = 500

/** Writes what came of messages, of many endpoints at once: one transaction at a time, with what gathered meanwhile. */
export class ResultWriter {
  private readonly dirty = new Set<ResultSubscriber>()
  private waiting = 0
  private running: Promise<void> | null = null
  private readonly signal = new Signal()
  private isClosed = false

  constructor(private readonly deps: ResultWriterDeps) {}

  /** Tells that there is one more outcome to record. */
  note(recording: ResultSubscriber): void {
    this.dirty.add(recording)
    this.waiting++
    if (this.waiting >= ENOUGH) this.signal.notify()
    this.running ??= this.run().finally(() => (this.running = null))
  }

  /** Waits while there is too much that is not recorded. */
  async room(): Promise<void> {
    while (this.waiting > MAX_WAITING && !this.isClosed) await this.signal.wait()
  }

  /** What the database does not take now is not kept: it is sent again by whoever comes next. */
  async close(): Promise<void> {
    this.isClosed = true
    this.signal.notify()
    await this.running
  }

  private async run(): Promise<void> {
    while (this.dirty.size > 0) {
      if (this.waiting < ENOUGH && !this.isClosed) await this.signal.wait(GATHER_MS)
      const batch: [ResultSubscriber, EndpointResults][] = []
      let outcomes = 0
      for (const recording of this.dirty) {
        if (outcomes >= MAX_AT_ONCE) break
        this.dirty.delete(recording)
        const entry = recording.entry()
        outcomes += entry.outcomes.length
        batch.push([recording, entry])
      }
      await this.write(batch)
      this.waiting = this.dirty.size === 0 ? 0 : Math.max(0, this.waiting - outcomes)
      this.signal.notify()
    }
  }

  private async write(batch: readonly [ResultSubscriber, EndpointResults][]): Promise<void> {
    const { db, owner, clock, log } = this.deps
    for (;;) {
      try {
        const entries = batch.map(([, entry]) => entry)
        return settle(batch, await persistResults(db, owner, entries, clock.now()))
      } catch (err) {
        const isOutOfReach = err instanceof PublicError
        if (isOutOfReach && !this.isClosed) {
          log.warn({ err }, 'what came of webhooks is not recorded yet')
          await this.signal.wait(PAUSE_MS)
        } else if (!isOutOfReach && batch.length > 1) {
          for (const one of batch) await this.write([one])
          return
        } else {
          log.error({ err }, 'what came of webhooks cannot be recorded')
          for (const [recording] of batch) recording.lost()
          return
        }
      }
    }
  }
}

function settle(batch: readonly [ResultSubscriber, EndpointResults][], recorded: PersistedResults): void {
  for (const [recording, { endpointId, released }] of batch) {
    const free = recorded.free.get(endpointId) ?? []
    const [hasDue, isDisabled] = [released.length > free.length, recorded.disabled.has(endpointId)]
    if (recorded.held.has(endpointId)) recording.recorded({ free, hasDue, isDisabled })
    else recording.lost()
  }
}
