import type { Id } from '../domain/ids.ts'
import type { Instant } from '../domain/time.ts'
import type { Database, Rows, Transaction } from './database.ts'
import { forUpdate, unlessLocked } from './sql/dialect.ts'
import { placeholders } from './loaders/order-by-keys.ts'
import { onlyConnectionOf, type Tenant } from '../domain/tenant-scope.ts'
import type { Where } from './sql/where.ts'

/**
 * The stamps of an application are given in order, but transactions of its connections commit in any order. So a
 * write is registered before its transaction, with its stamp, and signs off in it; and who reads across connections
 * is shown nothing from the oldest write on that is still open. No clock is trusted: a write that does not find
 * itself registered any more must not commit.
 */
export interface InFlightWrite {
  readonly applicationId: Id<'application'>
  readonly connectionId: Id<'connection'>
  /** Later than every stamp that was given in the application before. */
  readonly stamp: Instant
}

/** What is registered for longer was left behind by a process that died. */
const ABANDONED_AFTER_MS = 120_000

/** Registers a write in a transaction of its own; its stamp is `least` or later. One registered twice is overtaken. */
export function registerWrite(
  db: Pick<Database, 'transaction'>,
  origin: Omit<InFlightWrite, 'stamp'>,
  now: Instant,
  least: Instant,
): Promise<InFlightWrite> {
  const { applicationId, connectionId } = origin
  return db.transaction(async (tx) => {
    const newest = await newestStamp(tx, applicationId)
    const stamp = Math.max(now, newest + 1, least)
    await tx.run('UPDATE `applications` SET `clock` = ? WHERE `id` = ?', [stamp, applicationId])
    await tx.run(
      'INSERT INTO `open_writes` (`applicationId`, `stamp`, `connectionId`, `openedAt`) VALUES (?, ?, ?, ?)',
      [applicationId, stamp, connectionId, now],
    )
    return { ...origin, stamp }
  }, 'repeatable')
}

async function newestStamp(tx: Transaction, applicationId: string): Promise<Instant> {
  const [application] = await tx.rows<{ clock: number | null }>(
    `SELECT \`clock\` FROM \`applications\` WHERE \`id\` = ?${forUpdate(tx.dialect)}`,
    [applicationId],
  )
  if (!application) throw new Error(`application ${applicationId} is gone`)
  if (application.clock !== null) return Number(application.clock)
  const [connections] = await tx.rows<{ newest: number | null }>(
    'SELECT MAX(`lastStamp`) AS newest FROM `connections` WHERE `applicationId` = ?',
    [applicationId],
  )
  return Number(connections?.newest ?? 0)
}

/** Signs a write off in its transaction; false where it is not registered any more, and so must not commit. */
export async function completeWrite(tx: Transaction, write: InFlightWrite): Promise<boolean> {
  if ((await remove(tx, write)) === 0) return false
  await removeSuperseded(tx, write)
  return true
}

/** Earlier writes of the same connection can no longer commit; those whose process has died are still registered. */
async function removeSuperseded(tx: Transaction, { applicationId, connectionId, stamp }: InFlightWrite) {
  const overtaken = await tx.rows<{ stamp: number }>(
    'SELECT `stamp` FROM `open_writes` WHERE `connectionId` = ? AND `stamp` < ?',
    [connectionId, stamp],
  )
  if (overtaken.length === 0) return
  await tx.run(
    `DELETE FROM \`open_writes\` WHERE \`applicationId\` = ? AND \`stamp\` IN (${placeholders(overtaken.length)})`,
    [applicationId, ...overtaken.map((write) => write.stamp)],
  )
}

const remove = (tx: Transaction, { applicationId, stamp }: Omit<InFlightWrite, 'connectionId'>) =>
  tx.run('DELETE FROM `open_writes` WHERE `applicationId` = ? AND `stamp` = ?', [applicationId, stamp])

/** Unregisters a write whose transaction was rolled back. */
export const abandonWrite = (db: Pick<Database, 'transaction'>, write: InFlightWrite): Promise<unknown> =>
  db.transaction((tx) => remove(tx, write), 'repeatable')

/** Unregisters what died between its registration and its commit; readers wait for it until then. */
export async function removeAbandonedWrites(
  db: Pick<Database, 'rows' | 'transaction' | 'dialect'>,
  now: Instant,
): Promise<void> {
  const old = await db.rows<InFlightWrite>(
    'SELECT `applicationId`, `stamp` FROM `open_writes` WHERE `openedAt` < ?',
    [now - ABANDONED_AFTER_MS],
  )
  for (const write of old) await db.transaction((tx) => removeIdle(tx, write), 'repeatable')
}

/** A write that has signed off and is still at work holds its row: it is let be. */
async function removeIdle(tx: Transaction, write: InFlightWrite): Promise<void> {
  const [idle] = await tx.rows(
    `SELECT 1 FROM \`open_writes\` WHERE \`applicationId\` = ? AND \`stamp\` = ?${unlessLocked(tx.dialect)}`,
    [write.applicationId, write.stamp],
  )
  if (idle) await remove(tx, write)
}

/** Bounds that are being read: lists that ask at the same time share one, and with it their statement. */
const pendingReads = new WeakMap<Rows, Map<string, Promise<Where | null>>>()

/**
 * The rows below which nothing can appear any more, for who reads by `modifiedAt` across connections: one statement,
 * awaited before that of the rows. Null for a caller of one connection, whose stamps commit in their order.
 */
export function readWatermark(db: Rows, tenant: Tenant): Promise<Where | null> {
  if (onlyConnectionOf(tenant) !== null) return Promise.resolve(null)
  const { applicationId } = tenant
  const ofDatabase = pendingReads.get(db) ?? new Map<string, Promise<Where | null>>()
  pendingReads.set(db, ofDatabase)
  const known = ofDatabase.get(applicationId)
  if (known) return known
  const bound = loadWatermark(db, applicationId).finally(() => ofDatabase.delete(applicationId))
  ofDatabase.set(applicationId, bound)
  return bound
}

async function loadWatermark(db: Rows, applicationId: string): Promise<Where | null> {
  const [row] = await db.rows<{ clock: number | null; oldest: number | null }>(
    'SELECT `clock`, (SELECT MIN(`stamp`) FROM `open_writes` WHERE `applicationId` = ?) AS oldest FROM `applications` WHERE `id` = ?',
    [applicationId, applicationId],
  )
  if (row?.clock == null) return null
  const settled = row.oldest === null ? Number(row.clock) : Number(row.oldest) - 1
  return { sql: '`modifiedAt` <= ?', parameters: [settled] }
}
