import { randomUUID } from 'node:crypto'
import type { Id } from '../domain/ids.ts'
import type { Transaction } from '../storage/database.ts'
import { forUpdate } from '../storage/sql/dialect.ts'
import type { WorkerDeps } from './sync-context.ts'

/** A worker that dies gives its sync up this long afterwards. */
const LEASE_MS = 10_000
const RENEW_MS = 3000
/** Stands for the owner of a sync that goes on later, and whose worker has not failed it. */
const YIELDED = 'gave-way'

export class LeaseLost extends Error {
  override readonly name = 'LeaseLost'
}

/** A worker's hold on a sync. What it writes, it writes only while it has it. */
export interface SyncLease {
  readonly owner: string
  /** Whether the sync goes on after it has given way. */
  readonly continued: boolean
  /** Aborted when it turns out to be lost: what is being read for it is of no use. */
  readonly lost: AbortSignal
  /** Renews the lease in a transaction, or throws, and with it undoes what the transaction wrote. */
  hold(tx: Transaction, progress?: number): Promise<void>
  /** Ends it, unless the sync has ended with it: the sync is anybody's. */
  release(): Promise<void>
  /** Ends it for now: who takes the sync next goes on with the same attempt. */
  yieldLease(): Promise<void>
  /** The sync has ended, and with it the lease. */
  ended(): void
}

/** Takes a sync that is requested, or whose worker has died; null where another has it or it is over. */
export async function takeSyncLease(
  deps: LeaseDeps,
  syncId: Id<'sync'>,
  onStarted: (tx: Transaction) => Promise<void>,
): Promise<SyncLease | null> {
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
    if (attempts === 1 && !continued) await onStarted(tx)
    return { owner, continued }
  })
  return taken && createSyncLease(deps, syncId, taken)
}

type LeaseDeps = Pick<WorkerDeps, 'db' | 'clock' | 'log'>

function createSyncLease(
  { db, clock, log }: LeaseDeps,
  syncId: Id<'sync'>,
  { owner, continued }: Pick<SyncLease, 'owner' | 'continued'>,
): SyncLease {
  const lost = new AbortController()
  const hold = async (tx: Transaction, progress = 0) => {
    const held = await tx.run(
      `UPDATE \`syncs\` SET \`leasedUntil\` = ?, \`progress\` = CASE WHEN \`progress\` > ? THEN \`progress\` ELSE ? END
        WHERE \`id\` = ? AND \`leaseOwner\` = ?`,
      [clock.now() + LEASE_MS, progress, progress, syncId, owner],
    )
    if (held === 0) throw new LeaseLost(`another worker has sync ${syncId}`)
  }
  const renew = () =>
    db
      .transaction((tx) => hold(tx), 'repeatable')
      .catch((err: unknown) => {
        log.warn({ err, syncId }, 'a lease was not renewed')
        if (err instanceof LeaseLost) lost.abort(err)
      })
  let timer: NodeJS.Timeout | undefined = setInterval(() => void renew(), RENEW_MS).unref()
  const ended = () => {
    clearInterval(timer)
    timer = undefined
  }
  const leave = async (next: string | null) => {
    if (timer === undefined) return
    ended()
    const sql =
      'UPDATE `syncs` SET `leaseOwner` = ?, `leasedUntil` = NULL WHERE `id` = ? AND `leaseOwner` = ?'
    await db.transaction((tx) => tx.run(sql, [next, syncId, owner]), 'repeatable')
  }
  return {
    owner,
    continued,
    lost: lost.signal,
    hold,
    release: () => leave(null),
    yieldLease: () => leave(YIELDED),
    ended,
  }
}
