import { randomUUID } from 'node:crypto'
import type { Id } from '../ids.ts'
import type { Transaction } from '../storage/database.ts'
import type { SyncTools } from './run.ts'

/** A worker that dies gives its sync up this long afterwards. */
const LEASE_MS = 10_000
const RENEW_MS = 3000

export class LeaseLost extends Error {
  override readonly name = 'LeaseLost'
}

/** A worker's hold on a sync. What it writes, it writes only while it has it. */
export interface Lease {
  readonly owner: string
  /** Renews the lease in a transaction, or throws, and with it undoes what the transaction wrote. */
  hold(tx: Transaction): Promise<void>
  /** Ends it: the sync is anybody's. */
  release(): Promise<void>
}

/** Takes a sync that is requested, or whose worker has died; null where another has it or it is over. */
export async function takeLease(
  tools: LeaseTools,
  syncId: Id<'sync'>,
  onTaken: (tx: Transaction, attempt: number) => Promise<void>,
): Promise<Lease | null> {
  const { db, clock } = tools
  const owner = randomUUID()
  const taken = await db.transaction(async (tx) => {
    const now = clock.now()
    const claimed = await tx.run(
      `UPDATE \`syncs\` SET \`status\` = 'in_progress', \`leaseOwner\` = ?, \`leasedUntil\` = ?, \`attempts\` = \`attempts\` + 1
        WHERE \`id\` = ? AND \`status\` IN ('requested', 'in_progress') AND (\`leasedUntil\` IS NULL OR \`leasedUntil\` < ?)`,
      [owner, now + LEASE_MS, syncId, now],
    )
    if (claimed === 0) return false
    const [sync] = await tx.rows<{ attempts: number }>('SELECT `attempts` FROM `syncs` WHERE `id` = ?', [
      syncId,
    ])
    await onTaken(tx, Number(sync?.attempts))
    return true
  })
  return taken ? heldLease(tools, syncId, owner) : null
}

type LeaseTools = Pick<SyncTools, 'db' | 'clock' | 'log'>

function heldLease({ db, clock, log }: LeaseTools, syncId: Id<'sync'>, owner: string): Lease {
  const hold = async (tx: Transaction) => {
    const held = await tx.run('UPDATE `syncs` SET `leasedUntil` = ? WHERE `id` = ? AND `leaseOwner` = ?', [
      clock.now() + LEASE_MS,
      syncId,
      owner,
    ])
    if (held === 0) throw new LeaseLost(`another worker has sync ${syncId}`)
  }
  // What reads while the lease runs out is stopped by its next write.
  const renew = () =>
    db.transaction(hold).catch((err: unknown) => log.warn({ err, syncId }, 'a lease was not renewed'))
  const timer = setInterval(() => void renew(), RENEW_MS).unref()
  return {
    owner,
    hold,
    async release() {
      clearInterval(timer)
      await db.transaction((tx) =>
        tx.run(
          'UPDATE `syncs` SET `leaseOwner` = NULL, `leasedUntil` = NULL WHERE `id` = ? AND `leaseOwner` = ?',
          [syncId, owner],
        ),
      )
    },
  }
}
