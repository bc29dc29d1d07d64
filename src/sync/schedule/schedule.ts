import { Entity } from 'typeorm'
import type { Id } from '../../domain/ids.ts'
import { IdColumn, Indexes, InstantColumn, KeyColumn } from '../../storage/sql/columns.ts'
import type { Database, Transaction } from '../../storage/database.ts'
import { placeholders } from '../../storage/loaders/order-by-keys.ts'
import { tableOf } from '../../storage/sql/table.ts'
import { statesSql } from '../../subgraphs/tables/connection-states.ts'
import type { Instant } from '../../domain/time.ts'
import { nextRunAt } from './jitter.ts'
import type { WorkerDeps } from '../sync-context.ts'

/** Intervals in ms of managed polling and of automatic syncs. */
export interface Cadence {
  readonly pollMs: number
  readonly syncMs: number
}

/** Due times of the next sync and the next poll of a connection in automatic mode. */
@Entity('schedules')
@Indexes(['nextSyncAt'], ['nextPollAt'])
export class Schedule {
  @KeyColumn()
  connectionId: Id<'connection'>

  @IdColumn()
  applicationId: Id<'application'>

  @InstantColumn()
  nextSyncAt: Instant

  @InstantColumn()
  nextPollAt: Instant
}

/** Due-time column of a schedule. */
export type ScheduleColumn = 'nextSyncAt' | 'nextPollAt'

/** Connection that is due for a sync or a poll. */
export interface DueSchedule {
  readonly id: Id<'connection'>
  readonly dueAt: Instant
  readonly provider: string
  readonly options: Readonly<Record<string, unknown>>
}

/** SQL condition on a connection `c`: it is in automatic mode and its state allows requests to the provider. */
export const AUTOMATIC = `c.\`status\` IN (${statesSql('allowsProviderCalls')}) AND c.\`syncMode\` = 'automatic'`

const MAX_INSERTED = 500

/** Inserts the missing schedules of connections that are new, or in automatic mode again. */
export async function scheduleMissing(
  { db, clock }: Pick<WorkerDeps, 'db' | 'clock'>,
  { syncMs }: Cadence,
): Promise<void> {
  const missing = await db.rows<
    Pick<Schedule, 'connectionId' | 'applicationId'> & { lastAt: Instant | null }
  >(
    `SELECT c.\`id\` AS \`connectionId\`, c.\`applicationId\`, s.\`requestedAt\` AS \`lastAt\` FROM \`connections\` AS c
      LEFT JOIN \`schedules\` AS x ON x.\`connectionId\` = c.\`id\` LEFT JOIN \`syncs\` AS s ON s.\`id\` = c.\`lastSyncId\`
      WHERE ${AUTOMATIC} AND x.\`connectionId\` IS NULL LIMIT ${MAX_INSERTED}`,
  )
  if (missing.length === 0) return
  const now = clock.now()
  const rows = missing.map(({ connectionId, applicationId, lastAt }) => ({
    connectionId,
    applicationId,
    nextSyncAt: lastAt === null ? now : nextRunAt(connectionId, Number(lastAt), syncMs),
    nextPollAt: now,
  }))
  await db.transaction((tx) => tx.insert(tableOf(Schedule), rows))
}

interface DueRow {
  readonly id: Id<'connection'>
  readonly dueAt: Instant | string
  readonly provider: string
  readonly options: string
  readonly isAutomatic: number
}

/**
 * Returns at most `limit` due connections, longest due first. Deletes due schedules of connections that are no longer
 * in automatic mode.
 */
export async function readDue(
  { db, clock }: Pick<WorkerDeps, 'db' | 'clock'>,
  column: ScheduleColumn,
  limit: number,
): Promise<DueSchedule[]> {
  if (limit <= 0) return []
  const rows = await db.rows<DueRow>(
    `SELECT x.\`connectionId\` AS \`id\`, x.\`${column}\` AS \`dueAt\`, c.\`provider\`, c.\`options\`,
      CASE WHEN ${AUTOMATIC} THEN 1 ELSE 0 END AS \`isAutomatic\`
      FROM \`schedules\` AS x JOIN \`connections\` AS c ON c.\`id\` = x.\`connectionId\`
      WHERE x.\`${column}\` <= ? ORDER BY x.\`${column}\` LIMIT ${Math.ceil(limit)}`,
    [clock.now()],
  )
  await deleteSchedules(
    db,
    rows.filter(({ isAutomatic }) => Number(isAutomatic) === 0).map(({ id }) => id),
  )
  return rows
    .filter(({ isAutomatic }) => Number(isAutomatic) === 1)
    .map(({ id, dueAt, provider, options }) => ({
      id,
      dueAt: Number(dueAt),
      provider,
      options: JSON.parse(options) as DueSchedule['options'],
    }))
}

/** Deletes the schedules of connections. `scheduleMissing` creates a new one if automatic mode is set again. */
async function deleteSchedules(db: Pick<Database, 'transaction'>, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await db.transaction((tx) =>
    tx.run(`DELETE FROM \`schedules\` WHERE \`connectionId\` IN (${placeholders(ids.length)})`, ids),
  )
}

/** Claims a due time and sets the next one. Returns false if another worker has claimed it. */
export async function claimDueRun(
  tx: Transaction,
  column: ScheduleColumn,
  { id, dueAt }: Pick<DueSchedule, 'id' | 'dueAt'>,
  next: Instant,
): Promise<boolean> {
  const sql = `UPDATE \`schedules\` SET \`${column}\` = ? WHERE \`connectionId\` = ? AND \`${column}\` = ?`
  return (await tx.run(sql, [next, id, dueAt])) === 1
}

/** Sets many due times without a claim. Two workers can handle the same due time, so the work must be idempotent. */
export async function moveDueTimes(
  tx: Transaction,
  column: ScheduleColumn,
  nextTimes: readonly (readonly [id: string, next: Instant])[],
): Promise<void> {
  const cases = nextTimes.map(() => 'WHEN ? THEN ?').join(' ')
  await tx.run(
    `UPDATE \`schedules\` SET \`${column}\` = CASE \`connectionId\` ${cases} END WHERE \`connectionId\` IN (${placeholders(nextTimes.length)})`,
    [...nextTimes.flat(), ...nextTimes.map(([id]) => id)],
  )
}
