import type { Id } from '../domain/ids.ts'
import type { Instant } from '../domain/time.ts'
import type { Database, Rows, Transaction } from './database.ts'
import { forUpdate, unlessLocked } from './sql/dialect.ts'
import { placeholders } from './loaders/order-by-keys.ts'
import { onlyConnectionOf, type Tenant } from '../domain/tenant-scope.ts'
import type { Where } from './sql/where.ts'

/**
 * Uncommitted write to the rows of a fleet's connection. Its stamp becomes the `modifiedAt` of these rows. The stamps
 * of an application increase, but writes to different connections commit in any order. A reader of several connections
 * could therefore read past a stamp that commits later. Such a reader stops at the watermark, which is below the oldest
 * registered stamp. A write is registered before its transaction and unregistered within it. It commits only if it is
 * still registered; its age does not matter.
 */
export interface InFlightWrite {
  readonly applicationId: Id<'application'>
  readonly connectionId: Id<'connection'>
  /** Later than every earlier stamp of the application. */
  readonly stamp: Instant
}

/** Age from which a registered write counts as abandoned, usually because its process died. */
const ABANDONED_AFTER_MS = 120_000

/**
 * Registers a write with a stamp of `minStamp` or later, in a transaction separate from that of the write. If this
 * transaction runs twice, a second registration remains. `completeWrite` of this or a later write removes it, or
 * `removeAbandonedWrites` does.
 */
export function registerWrite(
  db: Pick<Database, 'transaction'>,
  origin: Omit<InFlightWrite, 'stamp'>,
  now: Instant,
  minStamp: Instant,
): Promise<InFlightWrite> {
  const { applicationId, connectionId } = origin
  return db.transaction(async (tx) => {
    const newest = await newestStamp(tx, applicationId)
    const stamp = Math.max(now, newest + 1, minStamp)
    await tx.run('UPDATE `applications` SET `clock` = ? WHERE `id` = ?', [stamp, applicationId])
    await tx.run(
      'INSERT INTO `open_writes` (`applicationId`, `stamp`, `connectionId`, `openedAt`) VALUES (?, ?, ?, ?)',
      [applicationId, stamp, connectionId, now],
    )
    return { ...origin, stamp }
  }, 'idempotent')
}

async function newestStamp(tx: Transaction, applicationId: string): Promise<Instant> {
  const [application] = await tx.rows<{ clock: number | null }>(
    `SELECT \`clock\` FROM \`applications\` WHERE \`id\` = ?${forUpdate(tx.dialect)}`,
    [applicationId],
  )
  if (!application) throw new Error(`application ${applicationId} does not exist`)
  // `clock` is the newest stamp of the application. It is null before the first registration.
  if (application.clock !== null) return Number(application.clock)
  const [connections] = await tx.rows<{ newest: number | null }>(
    'SELECT MAX(`lastStamp`) AS newest FROM `connections` WHERE `applicationId` = ?',
    [applicationId],
  )
  return Number(connections?.newest ?? 0)
}

/**
 * Unregisters a write within its transaction. Returns false if the write was not registered: the transaction must then
 * roll back.
 */
export async function completeWrite(tx: Transaction, write: InFlightWrite): Promise<boolean> {
  if ((await remove(tx, write)) === 0) return false
  await removeSuperseded(tx, write)
  return true
}

/**
 * Unregisters earlier writes of the connection. None of them can commit after this write, because the stamps of a
 * connection commit in ascending order.
 */
async function removeSuperseded(tx: Transaction, { applicationId, connectionId, stamp }: InFlightWrite) {
  const superseded = await tx.rows<{ stamp: number }>(
    'SELECT `stamp` FROM `open_writes` WHERE `connectionId` = ? AND `stamp` < ?',
    [connectionId, stamp],
  )
  if (superseded.length === 0) return
  await tx.run(
    `DELETE FROM \`open_writes\` WHERE \`applicationId\` = ? AND \`stamp\` IN (${placeholders(superseded.length)})`,
    [applicationId, ...superseded.map((write) => write.stamp)],
  )
}

const remove = (tx: Transaction, { applicationId, stamp }: Omit<InFlightWrite, 'connectionId'>) =>
  tx.run('DELETE FROM `open_writes` WHERE `applicationId` = ? AND `stamp` = ?', [applicationId, stamp])

/** Unregisters a write whose transaction was rolled back. */
export const abandonWrite = (db: Pick<Database, 'transaction'>, write: InFlightWrite): Promise<unknown> =>
  db.transaction((tx) => remove(tx, write), 'idempotent')

/**
 * Unregisters old writes that no transaction is completing. Usually their process has died; a writer that still lives
 * cannot commit and registers again. While registered, they hold the watermark back.
 */
export async function removeAbandonedWrites(
  db: Pick<Database, 'rows' | 'transaction' | 'dialect'>,
  now: Instant,
): Promise<void> {
  const old = await db.rows<InFlightWrite>(
    'SELECT `applicationId`, `stamp` FROM `open_writes` WHERE `openedAt` < ?',
    [now - ABANDONED_AFTER_MS],
  )
  for (const write of old) await db.transaction((tx) => removeIdle(tx, write), 'idempotent')
}

/** Unregisters a write, unless its transaction has called `completeWrite`: that keeps its row locked. */
async function removeIdle(tx: Transaction, write: InFlightWrite): Promise<void> {
  const [idle] = await tx.rows(
    `SELECT 1 FROM \`open_writes\` WHERE \`applicationId\` = ? AND \`stamp\` = ?${unlessLocked(tx.dialect)}`,
    [write.applicationId, write.stamp],
  )
  if (idle) await remove(tx, write)
}

/** Watermarks that are being loaded, by application. Concurrent reads of an application share one statement. */
const pendingReads = new WeakMap<Rows, Map<string, Promise<Where | null>>>()

/**
 * Returns the condition `modifiedAt <= watermark`, for a list of the rows of several connections. No new row can appear
 * at or below the watermark. It must be read before the rows. Null if the caller can access one connection only: its
 * stamps commit in order. Also null if the application has no stamp yet.
 */
export function readWatermark(db: Rows, tenant: Tenant): Promise<Where | null> {
  if (onlyConnectionOf(tenant) !== null) return Promise.resolve(null)
  const { applicationId } = tenant
  const byApplication = pendingReads.get(db) ?? new Map<string, Promise<Where | null>>()
  pendingReads.set(db, byApplication)
  const pending = byApplication.get(applicationId)
  if (pending) return pending
  const watermark = loadWatermark(db, applicationId).finally(() => byApplication.delete(applicationId))
  byApplication.set(applicationId, watermark)
  return watermark
}

async function loadWatermark(db: Rows, applicationId: string): Promise<Where | null> {
  const [row] = await db.rows<{ clock: number | null; oldest: number | null }>(
    'SELECT `clock`, (SELECT MIN(`stamp`) FROM `open_writes` WHERE `applicationId` = ?) AS oldest FROM `applications` WHERE `id` = ?',
    [applicationId, applicationId],
  )
  if (row?.clock == null) return null
  const watermark = row.oldest === null ? Number(row.clock) : Number(row.oldest) - 1
  return { sql: '`modifiedAt` <= ?', parameters: [watermark] }
}
