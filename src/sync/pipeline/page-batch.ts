import { inVersionedTransaction } from '../ingest/versioned-transaction.ts'
import { withTimeout } from '../../platform/lifecycle/timeout.ts'
import type { Transaction } from '../../storage/database.ts'
import { type Checkpoint, type ReadWindow, saveCheckpoints } from './checkpoint.ts'
import type { SyncRun } from '../sync-run.ts'
import { storedRecords } from '../../platform/instrumentation.ts'
import type { WriteContext } from './write-context.ts'
import type { SyncedModel } from '../../domain/record-models.ts'
import type { NormalizedRecords } from '../../providers/normalized-records.ts'
import type { Reader, ReadPage } from '../../providers/provider.ts'
import type { ParsedRecord } from '../ingest/parse-page.ts'

/** A page that has been read. */
export interface PendingPage {
  readonly records: number
  /** The place after it. */
  readonly checkpoint: Checkpoint
  /** Percent of the sync's work that is stored with it. */
  readonly progress: number
  store(tx: Transaction, context: WriteContext): Promise<StoredPage>
}

/** A page that is written, and stored once its transaction has committed. */
export interface StoredPage {
  /** How many records of it are stored, or were so before. */
  readonly count: number
  /** What is left to be done once it has committed. */
  readonly rest?: AfterCommit | undefined
}

export type AfterCommit = () => Promise<void>

/** A commit costs as much as some dozens of records, so pages are stored together until there are so many. */
const MAX_RECORDS = 500
const MAX_BATCH_MS = 2000

/**
 * The pages of a sync that are read and not stored yet. A page, its changes, their announcement and the place after
 * it commit together or not at all; several small pages are one commit.
 */
export class PageBatch {
  private pages: PendingPage[] = []
  private since = 0

  constructor(private readonly run: SyncRun) {}

  async add(page: PendingPage): Promise<void> {
    if (this.records + page.records > MAX_RECORDS) await this.flush()
    if (this.pages.length === 0) this.since = performance.now()
    this.pages.push(page)
    if (this.records < MAX_RECORDS && this.restMs > 0) return
    await this.flush()
    await this.run.timeSlice.mayGoOn()
  }

  /** Waits for a page. What has been read before it does not wait for a provider that takes its time. */
  async during<T>(reading: Promise<T>): Promise<T> {
    if (this.pages.length === 0) return reading
    const late = new Error('The page takes its time')
    const read = await withTimeout(reading, this.restMs, late).catch((error: unknown) => {
      if (error === late) return late
      throw error
    })
    if (read !== late) return read as T
    await this.flush()
    return reading
  }

  /** Stores what there is, under the connection's clock and the worker's lease. */
  async flush(): Promise<void> {
    const { run, pages } = this
    this.pages = []
    if (pages.length === 0) return
    const stored: (StoredPage & Pick<Checkpoint, 'model'>)[] = []
    await commit(run, pages.at(-1)?.progress, async (tx, context) => {
      stored.length = 0
      for (const page of pages)
        stored.push({ model: page.checkpoint.model, ...(await page.store(tx, context)) })
      await saveCheckpoints(tx, newestOf(pages))
    })
    const { provider } = run.connection
    for (const { model, count } of stored) storedRecords.emit({ provider, model, count })
    for (const { rest } of stored) await rest?.()
  }

  /** How long what has been read may still wait. */
  private get restMs(): number {
    return Math.max(0, this.since + MAX_BATCH_MS - performance.now())
  }

  private get records(): number {
    return this.pages.reduce((sum, { records }) => sum + records, 0)
  }
}

/** Everything that one commit writes; the work may be run again. */
export async function commit(
  run: SyncRun,
  progress: number | undefined,
  work: (tx: Transaction, context: WriteContext) => Promise<unknown>,
): Promise<void> {
  await inVersionedTransaction(run, run.connection, async (tx, stamp) => {
    await run.lease.hold(tx, progress)
    await work(tx, { connection: run.connection, syncId: run.sync.id, stamp })
  })
  run.onEvents()
}

/** Of each model the place after its last page. */
const newestOf = (pages: readonly PendingPage[]): Checkpoint[] => [
  ...new Map(pages.map(({ checkpoint }) => [checkpoint.model, checkpoint])).values(),
]
export interface PageToStore<M extends SyncedModel> {
  readonly run: SyncRun
  readonly model: M
  readonly reader: Reader<NormalizedRecords[M]>
  readonly reach: ReadWindow
  readonly page: Pick<ReadPage, 'removed' | 'lacks'>
  readonly parsed: readonly ParsedRecord<NormalizedRecords[M]>[]
  readonly quarantined: readonly unknown[]
  /** For each record with values that do not fit, its fields that became null. */
  readonly misfits: readonly (readonly string[])[]
  readonly isLast: boolean
  /** Whether it is the only page of a full list: where all of it can be read, what is not in it is gone. */
  readonly isWhole: boolean
}
