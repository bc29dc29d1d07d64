import { randomUUID } from 'node:crypto'
import type { Id } from '../domain/ids.ts'
import type { Transaction } from '../storage/database.ts'
import { forUpdate } from '../storage/sql/dialect.ts'
import type { WorkerDeps } from './sync-context.ts'

/** Duration of a lease. After this time, another worker can take over the sync of a dead worker. */
const LEASE_MS = 10_000
const RENEW_MS = 3000
/** Lease owner of a sync that has yielded. The next lease of the sync continues the same attempt. */
const YIELDED = 'gave-way'

/** Error: another worker has taken the sync, or a change of the sync or its connection has ended the lease. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost'
}

/** Lease of a worker on a sync. The worker writes only under its lease. */
export interface SyncLease {
  readonly owner: string
  /** Whether the sync continues an attempt that has yielded. */
  readonly continued: boolean
  /** Aborted when a renewal finds that the lease is lost. This ends pending reads of the sync. */
  readonly lost: AbortSignal
  /**
   * Renews the lease in a transaction, and raises the stored progress to `progress`. If the lease is lost, throws
   * `LeaseLost`, so the transaction rolls back.
   */
  hold(tx: Transaction, progress?: number): Promise<void>
  /** Releases the lease, so that any worker can take the sync. Does nothing if the lease has ended. */
  release(): Promise<void>
  /** Releases the lease of a sync that yields. The next worker continues the same attempt. */
  yieldLease(): Promise<void>
  /** Stops the renewals. Call it after the sync has ended: its end has also ended the lease. */
  stopRenewals(): void
}

/**
 * Leases an unfinished sync. Returns null if another worker holds an unexpired lease, or if the sync has ended. `load`
 * runs in the transaction of the lease. So a change that takes the lease of a running sync either finds this lease, or
 * commits before `load` reads.
 */
export async function takeSyncLease<Loaded>(
  deps: LeaseDeps,
  syncId: Id<'sync'>,
  load: (tx: Transaction, isFirstAttempt: boolean) => Promise<Loaded>,
): Promise<{ readonly lease: SyncLease; readonly loaded: Loaded } | null> {
  const { db, clock } = deps
  const owner = randomUUID()
  const taken = await db.transaction(async (tx) => {
    const now = clock.now()
    const [sync] = await tx.rows<{ attempts: number; leaseOwner: string | null }>(
      `SELECT \`attempts\`, \`leaseOwner\` FROM \`syncs\` WHERE \`id\` = ? AND \`status\` IN ('requested', 'in_progress')
        AND (\`leasedUntil\` IS NULL OR \`leasedUntil\` < ?)${forUpdate(tx.dialect)}`,
      [syncId, now],
    )
    if (!sync) return null
    const continued = sync.leaseOwner === YIELDED
    const attempts = Number(sync.attempts) + (continued ? 0 : 1)
    await tx.run(
      "UPDATE `syncs` SET `status` = 'in_progress', `leaseOwner` = ?, `leasedUntil` = ?, `attempts` = ? WHERE `id` = ?",
      [owner, now + LEASE_MS, attempts, syncId],
    )
    return { owner, continued, loaded: await load(tx, attempts === 1 && !continued) }
  })
  return taken && { lease: createSyncLease(deps, syncId, taken), loaded: taken.loaded }
}

type LeaseDeps = Pick<WorkerDeps, 'db' | 'clock' | 'log'>

function createSyncLease(
  { db, clock, log }: LeaseDeps,
  syncId: Id<'sync'>,
  { owner, continued }: Pick<SyncLease, 'owner' | 'continued'>,
): SyncLease {
  const lost = new AbortController()
  const hold = async (tx: Transaction, progress = 0) => {
    const renewed = await tx.run(
      `UPDATE \`syncs\` SET \`leasedUntil\` = ?, \`progress\` = CASE WHEN \`progress\` > ? THEN \`progress\` ELSE ? END
        WHERE \`id\` = ? AND \`leaseOwner\` = ?`,
      [clock.now() + LEASE_MS, progress, progress, syncId, owner],
    )
    if (renewed === 0) throw new LeaseLost(`the lease on sync ${syncId} is lost`)
  }
  const renew = () =>
    db
      .transaction((tx) => hold(tx), 'idempotent')
      .catch((err: unknown) => {
        log.warn({ err, syncId }, 'sync lease renewal failed')
        if (err instanceof LeaseLost) lost.abort(err)
      })
  let timer: NodeJS.Timeout | undefined = setInterval(() => void renew(), RENEW_MS).unref()
  const stopRenewals = () => {
    clearInterval(timer)
    timer = undefined
  }
  const giveUp = async (nextOwner: string | null) => {
    if (timer === undefined) return
    stopRenewals()
    const sql =
      'UPDATE `syncs` SET `leaseOwner` = ?, `leasedUntil` = NULL WHERE `id` = ? AND `leaseOwner` = ?'
    await db.transaction((tx) => tx.run(sql, [nextOwner, syncId, owner]), 'idempotent')
  }
  return {
    owner,
    continued,
    lost: lost.signal,
    hold,
    release: () => giveUp(null),
    yieldLease: () => giveUp(YIELDED),
    stopRenewals,
  }
}
