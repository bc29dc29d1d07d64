import { inVersionedTransaction } from '../ingest/versioned-transaction.ts'
import { withTimeout } from '../../platform/lifecycle/timeout.ts'
import type { Transaction } from '../../storage/database.ts'
import { type Checkpoint, type ReadWindow, saveCheckpoints } from './checkpoint.ts'
import type { SyncRun } from '../sync-run.ts'
import { storedRecords } from '../../platform/instrumentation.ts'
import type { WriteContext } from './write-context.ts'
import type { NormalizedRecords, SyncedModel } from '../../domain/record-models.ts'
import type { Reader, ReadPage } from '../../providers/provider.ts'
import type { ParsedRecord } from '../ingest/parse-page.ts'

/** Page that has been read and is not yet stored. */
export interface PendingPage {
  readonly recordCount: number
  /** Checkpoint after the page. */
  readonly checkpoint: Checkpoint
  /** Progress of the sync in percent when the page is stored. */
  readonly progress: number
  store(tx: Transaction, context: WriteContext): Promise<StoredPage>
}

/** Result of storing a page. */
export interface StoredPage {
  /** Number of stored records of the page, including unchanged ones. */
  readonly count: number
  /** Work to do after the commit. */
  readonly afterCommit?: AfterCommit | undefined
}

export type AfterCommit = () => Promise<void>

/** Maximum records in one commit. A commit costs as much as some dozens of records, so small pages share one. */
const MAX_RECORDS = 500
/** Maximum time that a page waits for further pages. */
const MAX_BATCH_MS = 2000

/**
 * Batch of the pages of a sync that are not yet stored. A page, its changes, their events and its checkpoint
 * commit in one transaction. Small pages share a transaction.
 */
export class PageBatch {
  private pages: PendingPage[] = []
  private openedAt = 0

  constructor(private readonly run: SyncRun) {}

  async add(page: PendingPage): Promise<void> {
    if (this.recordCount + page.recordCount > MAX_RECORDS) await this.flush()
    if (this.pages.length === 0) this.openedAt = performance.now()
    this.pages.push(page)
    if (this.recordCount < MAX_RECORDS && this.remainingMs > 0) return
    await this.flush()
    await this.run.timeSlice.yieldIfExpired()
  }

  /** Waits for the next page. If the provider is slow, stores the batch in the meantime. */
  async awaitPage<T>(reading: Promise<T>): Promise<T> {
    if (this.pages.length === 0) return reading
    const slow = new Error('the next page did not arrive in time')
    const page = await withTimeout(reading, this.remainingMs, slow).catch((error: unknown) => {
      if (error === slow) return slow
      throw error
    })
    if (page !== slow) return page as T
    await this.flush()
    return reading
  }

  /** Stores the batch in one versioned transaction, under the lease of the worker. */
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
    for (const { afterCommit } of stored) await afterCommit?.()
  }

  /** Time that the batch may still wait. */
  private get remainingMs(): number {
    return Math.max(0, this.openedAt + MAX_BATCH_MS - performance.now())
  }

  private get recordCount(): number {
    return this.pages.reduce((sum, { recordCount }) => sum + recordCount, 0)
  }
}

/**
 * Runs a versioned transaction under the lease of the sync. `work` may run several times until it commits. `progress`
 * is in percent.
 */
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

/** Returns the last checkpoint of each model. */
const newestOf = (pages: readonly PendingPage[]): Checkpoint[] => [
  ...new Map(pages.map(({ checkpoint }) => [checkpoint.model, checkpoint])).values(),
]

/** Normalized page, with everything that `storePage` needs. */
export interface PageToStore<M extends SyncedModel> {
  readonly run: SyncRun
  readonly model: M
  readonly reader: Reader<NormalizedRecords[M]>
  readonly readWindow: ReadWindow
  readonly page: Pick<ReadPage, 'next' | 'removed' | 'missingFields' | 'withheldBySetting'>
  readonly parsed: readonly ParsedRecord<NormalizedRecords[M]>[]
  readonly quarantined: readonly unknown[]
  /** Invalid fields, which became null, of each record that has some. */
  readonly invalidFields: readonly (readonly string[])[]
  readonly isLast: boolean
  /** Whether it is the only page of a full list. If all its records are readable, all other records were removed. */
  readonly isWholeList: boolean
  /** Whether the removal of records of the model was held at the start of the sync. */
  readonly isHeld: boolean
}
