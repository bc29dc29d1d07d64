import { purgeRemoved } from '../../ingest/latest/purge-removed.ts'
import type { CompleteBy, TimeWindow } from '../../../providers/provider.ts'
import type { Transaction } from '../../../storage/database.ts'
import { placeholders } from '../../../storage/loaders/order-by-keys.ts'
import { and, type Where } from '../../../storage/sql/where.ts'
import { toIso } from '../../../domain/time.ts'
import type { ReadWindow } from '../checkpoint.ts'
import type { StoredModel } from '../stored-models.ts'
import type { Change } from '../diff-page.ts'
import type { WriteContext } from '../write-context.ts'

/** Maximum number of records that one commit tombstones. */
export const TOMBSTONE_BATCH_SIZE = 500

/** SQL condition that selects the records to tombstone. */
export type TombstoneCondition = Where

/** Matches all records except these: those that a list of one page lacks. */
export const allExcept = (ids: readonly string[]): TombstoneCondition =>
  ids.length === 0
    ? { sql: '1 = 1', parameters: [] }
    : { sql: `\`id\` NOT IN (${placeholders(ids.length)})`, parameters: [...ids] }

/** Matches the records with these ids. There must be at most one batch of them. */
export const onlyIds = (ids: readonly string[]): TombstoneCondition => ({
  sql: `\`id\` IN (${placeholders(ids.length)})`,
  parameters: [...ids],
})

/** Matches the records that no page of the sync has marked as seen. */
export const unseenBySync = (syncId: string): TombstoneCondition => ({ sql: UNSEEN, parameters: [syncId] })

const UNSEEN = '(`seenIn` IS NULL OR `seenIn` <> ?)'

/** Sync, connection and table of a read. */
interface ReadScope {
  readonly syncId: string
  readonly connection: WriteContext['connection']
  readonly table: string
}

/** Matches the records that start after the first one that the read has of their vehicle or driver. */
const afterFirstSeen = (
  owner: 'vehicleId' | 'driverId',
  { syncId, connection, table }: ReadScope,
  { from }: TimeWindow,
): TombstoneCondition => ({
  sql: `EXISTS (SELECT 1 FROM \`${table}\` AS \`seen\` WHERE \`seen\`.\`${owner}\` = \`${table}\`.\`${owner}\`
        AND \`seen\`.\`startedAt\` >= ? AND \`seen\`.\`startedAt\` < \`${table}\`.\`startedAt\`
        AND \`seen\`.\`connectionId\` = ? AND \`seen\`.\`applicationId\` = ? AND \`seen\`.\`seenIn\` = ?)`,
  parameters: [from, connection.id, connection.applicationId, syncId],
})

const unseenWithin = ({ syncId }: ReadScope, { from, to }: TimeWindow): TombstoneCondition => ({
  sql: `\`startedAt\` >= ? AND \`startedAt\` < ? AND ${UNSEEN}`,
  parameters: [from, to, syncId],
})

/**
 * Conditions that select stored records that are missing from the read of a time window. They are keyed by the unit in
 * which the list of the read is complete.
 */
export const missingWithin: Readonly<
  Record<CompleteBy, (scope: ReadScope, read: Pick<ReadWindow, 'window' | 'isHistory'>) => TombstoneCondition>
> = {
  driver(scope, { window, isHistory = false }) {
    if (isHistory) return and(unseenWithin(scope, window), afterFirstSeen('driverId', scope, window))
    const { syncId, connection, table } = scope
    return and(unseenWithin(scope, window), {
      sql: `\`driverId\` IN (SELECT \`driverId\` FROM \`${table}\`
        WHERE \`connectionId\` = ? AND \`applicationId\` = ? AND \`startedAt\` >= ? AND \`seenIn\` = ?)`,
      parameters: [connection.id, connection.applicationId, window.from, syncId],
    })
  },
  /**
   * Excludes records that start before the first one that the list has of the vehicle. The provider may have deleted
   * them after its retention period, or left out what was in progress at the start of the window.
   */
  vehicle: (scope, { window }) =>
    and(unseenWithin(scope, window), afterFirstSeen('vehicleId', scope, window)),
  /** In a history, excludes the first month of the vehicle: the provider may no longer have its first days. */
  vehicle_month({ syncId, connection, table }, { window: { from }, isHistory = false }) {
    const firstMonth = toIso(from - MAX_ZONE_OFFSET_MS).slice(0, 7)
    const seen = `FROM \`${table}\` AS \`seen\` WHERE \`seen\`.\`connectionId\` = ?
        AND \`seen\`.\`applicationId\` = ? AND \`seen\`.\`month\` >= ? AND \`seen\`.\`seenIn\` = ?`
    const ofScope = [connection.id, connection.applicationId, firstMonth, syncId]
    const missing = {
      sql: `\`month\` >= ? AND ${UNSEEN} AND (\`vehicleId\`, \`month\`) IN
      (SELECT \`seen\`.\`vehicleId\`, \`seen\`.\`month\` ${seen})`,
      parameters: [firstMonth, syncId, ...ofScope],
    }
    const isAfterFirstMonth = {
      sql: `EXISTS (SELECT 1 ${seen} AND \`seen\`.\`vehicleId\` = \`${table}\`.\`vehicleId\`
        AND \`seen\`.\`month\` < \`${table}\`.\`month\`)`,
      parameters: ofScope,
    }
    return and(missing, isHistory ? isAfterFirstMonth : null)
  },
}

/** More than the UTC offset of any time zone. */
const MAX_ZONE_OFFSET_MS = 86_400_000

/** Marks one batch of the selected records as deleted. Returns their changes. */
export async function tombstoneMissing<Normalized>(
  tx: Transaction,
  { kind, table }: StoredModel<Normalized>,
  { connection, stamp }: WriteContext,
  condition: TombstoneCondition,
): Promise<Change[]> {
  const missing = await tx.rows<Record<string, unknown>>(
    `SELECT ${table.selected} FROM \`${table.name}\` WHERE \`connectionId\` = ? AND \`applicationId\` = ?
      AND \`deletedAt\` IS NULL AND ${condition.sql} LIMIT ${TOMBSTONE_BATCH_SIZE}`,
    [connection.id, connection.applicationId, ...condition.parameters],
  )
  if (missing.length === 0) return []
  const rows = missing.map((row) => ({ ...table.toRow(row), deletedAt: stamp, modifiedAt: stamp }))
  const ids = rows.map(({ id }) => id)
  await tx.run(
    `UPDATE \`${table.name}\` SET \`deletedAt\` = ?, \`modifiedAt\` = ?
      WHERE \`connectionId\` = ? AND \`applicationId\` = ? AND \`id\` IN (${placeholders(rows.length)})`,
    [stamp, stamp, connection.id, connection.applicationId, ...ids],
  )
  await purgeRemoved(tx, kind, connection, ids)
  return rows.map((row) => ({ kind: 'removed', row }))
}
