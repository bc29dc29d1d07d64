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

/** How often managed polling asks where vehicles are, and how often a connection is synced. */
export interface Cadence {
  readonly pollMs: number
  readonly syncMs: number
}

/** When a connection in automatic mode is synced and polled next. What is due is found here, by index. */
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

/** Which of the two turns of a schedule. */
export type ScheduleColumn = 'nextSyncAt' | 'nextPollAt'

/** A connection whose turn has come. */
export interface Due {
  readonly id: Id<'connection'>
  readonly dueAt: Instant
  readonly provider: string
  readonly options: Readonly<Record<string, unknown>>
}

/** Of a connection `c`: that it is read by itself. */
export const AUTOMATIC = `c.\`status\` IN (${statesSql('isAsked')}) AND c.\`syncMode\` = 'automatic'`
const MADE_AT_ONCE = 500

/** Gives those that have become automatic a schedule; it may be their first or one that they had before. */
export async function scheduleMissing(
  { db, clock }: Pick<WorkerDeps, 'db' | 'clock'>,
  { syncMs }: Cadence,
): Promise<void> {
  const missing = await db.rows<
    Pick<Schedule, 'connectionId' | 'applicationId'> & { lastAt: Instant | null }
  >(
    `SELECT c.\`id\` AS \`connectionId\`, c.\`applicationId\`, s.\`requestedAt\` AS \`lastAt\` FROM \`connections\` AS c
      LEFT JOIN \`schedules\` AS x ON x.\`connectionId\` = c.\`id\` LEFT JOIN \`syncs\` AS s ON s.\`id\` = c.\`lastSyncId\`
      WHERE ${AUTOMATIC} AND x.\`connectionId\` IS NULL LIMIT ${MADE_AT_ONCE}`,
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

/** Those whose turn has come, who has waited longest first; at most so many. */
export async function dueBy(
  { db, clock }: Pick<WorkerDeps, 'db' | 'clock'>,
  timeSlice: ScheduleColumn,
  most: number,
): Promise<Due[]> {
  if (most <= 0) return []
  const rows = await db.rows<DueRow>(
    `SELECT x.\`connectionId\` AS \`id\`, x.\`${timeSlice}\` AS \`dueAt\`, c.\`provider\`, c.\`options\`,
      CASE WHEN ${AUTOMATIC} THEN 1 ELSE 0 END AS \`isAutomatic\`
      FROM \`schedules\` AS x JOIN \`connections\` AS c ON c.\`id\` = x.\`connectionId\`
      WHERE x.\`${timeSlice}\` <= ? ORDER BY x.\`${timeSlice}\` LIMIT ${Math.ceil(most)}`,
    [clock.now()],
  )
  await endSchedules(
    db,
    rows.filter(({ isAutomatic }) => Number(isAutomatic) === 0).map(({ id }) => id),
  )
  return rows
    .filter(({ isAutomatic }) => Number(isAutomatic) === 1)
    .map(({ id, dueAt, provider, options }) => ({
      id,
      dueAt: Number(dueAt),
      provider,
      options: JSON.parse(options) as Due['options'],
    }))
}

/** A connection that is no longer automatic has no turn; should it become so again, it is given a new one. */
async function endSchedules(db: Pick<Database, 'transaction'>, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await db.transaction((tx) =>
    tx.run(`DELETE FROM \`schedules\` WHERE \`connectionId\` IN (${placeholders(ids.length)})`, ids),
  )
}

/** Moves a turn on; false where somebody else has taken it in the meantime. */
export async function claimDue(
  tx: Transaction,
  timeSlice: ScheduleColumn,
  { id, dueAt }: Pick<Due, 'id' | 'dueAt'>,
  next: Instant,
): Promise<boolean> {
  const sql = `UPDATE \`schedules\` SET \`${timeSlice}\` = ? WHERE \`connectionId\` = ? AND \`${timeSlice}\` = ?`
  return (await tx.run(sql, [next, id, dueAt])) === 1
}

/** Moves many turns on at once, whoever else has: for what may come twice and does no more than once. */
export async function moveDueTimes(
  tx: Transaction,
  timeSlice: ScheduleColumn,
  nexts: readonly (readonly [id: string, next: Instant])[],
): Promise<void> {
  const cases = nexts.map(() => 'WHEN ? THEN ?').join(' ')
  await tx.run(
    `UPDATE \`schedules\` SET \`${timeSlice}\` = CASE \`connectionId\` ${cases} END WHERE \`connectionId\` IN (${placeholders(nexts.length)})`,
    [...nexts.flat(), ...nexts.map(([id]) => id)],
  )
}
