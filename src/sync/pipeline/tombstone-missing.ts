import { purgeRemoved } from '../ingest/latest/purge-removed.ts'
import type { CompleteBy, TimeWindow } from '../../providers/provider.ts'
import type { Transaction } from '../../storage/database.ts'
import { placeholders } from '../../storage/loaders/order-by-keys.ts'
import type { Where } from '../../storage/sql/where.ts'
import { toIso } from '../../domain/time.ts'
import type { StoredModel } from './stored-models.ts'
import type { Change } from './diff-page.ts'
import type { WriteContext } from './write-context.ts'

/** Maximum number of records that one commit tombstones. */
export const TOMBSTONE_BATCH_SIZE = 500

/** SQL condition on the records to tombstone. */
export type Unseen = Where

/** Matches the records that a list of one page lacks. */
export const allExcept = (ids: readonly string[]): Unseen =>
  ids.length === 0
    ? { sql: '1 = 1', parameters: [] }
    : { sql: `\`id\` NOT IN (${placeholders(ids.length)})`, parameters: [...ids] }

/** Matches the records with these ids, at most one batch. */
export const onlyThese = (ids: readonly string[]): Unseen => ({
  sql: `\`id\` IN (${placeholders(ids.length)})`,
  parameters: [...ids],
})

/** Matches the records that no page of the sync has marked as seen. */
export const unseenBySync = (syncId: string): Unseen => ({ sql: UNSEEN, parameters: [syncId] })

const UNSEEN = '(`seenIn` IS NULL OR `seenIn` <> ?)'

/** Sync, connection and table of a read. */
interface ReadScope {
  readonly syncId: string
  readonly connection: WriteContext['connection']
  readonly table: string
}

/**
 * Conditions on records that a windowed read should have contained but lacked, by what the list holds
 * completely.
 */
export const missingWithin: Readonly<Record<CompleteBy, (scope: ReadScope, window: TimeWindow) => Unseen>> = {
  driver: ({ syncId, connection, table }, { from, to }) => ({
    sql: `\`startedAt\` >= ? AND \`startedAt\` < ? AND ${UNSEEN} AND \`driverId\` IN
      (SELECT \`driverId\` FROM \`${table}\`
        WHERE \`connectionId\` = ? AND \`applicationId\` = ? AND \`startedAt\` >= ? AND \`seenIn\` = ?)`,
    parameters: [from, to, syncId, connection.id, connection.applicationId, from, syncId],
  }),
  /**
   * Excludes records before the first one that was read. The provider may have deleted these by age, or they
   * were in progress at the start of the window.
   */
  vehicle: ({ syncId, connection, table }, { from, to }) => ({
    sql: `\`startedAt\` >= ? AND \`startedAt\` < ? AND ${UNSEEN} AND EXISTS
      (SELECT 1 FROM \`${table}\` AS \`seen\` WHERE \`seen\`.\`vehicleId\` = \`${table}\`.\`vehicleId\`
        AND \`seen\`.\`startedAt\` >= ? AND \`seen\`.\`startedAt\` < \`${table}\`.\`startedAt\`
        AND \`seen\`.\`connectionId\` = ? AND \`seen\`.\`applicationId\` = ? AND \`seen\`.\`seenIn\` = ?)`,
    parameters: [from, to, syncId, from, connection.id, connection.applicationId, syncId],
  }),
  vehicle_month({ syncId, connection, table }, { from }) {
    const first = toIso(from - MAX_ZONE_OFFSET_MS).slice(0, 7)
    return {
      sql: `\`month\` >= ? AND ${UNSEEN} AND (\`vehicleId\`, \`month\`) IN
      (SELECT \`vehicleId\`, \`month\` FROM \`${table}\`
        WHERE \`connectionId\` = ? AND \`applicationId\` = ? AND \`month\` >= ? AND \`seenIn\` = ?)`,
      parameters: [first, syncId, connection.id, connection.applicationId, first, syncId],
    }
  },
}

/** More than the UTC offset of any time zone. */
const MAX_ZONE_OFFSET_MS = 86_400_000

/** Marks one batch of missing records as deleted. Returns their changes. */
export async function tombstoneMissing<Normalized>(
  tx: Transaction,
  { kind, table }: StoredModel<Normalized>,
  { connection, stamp }: WriteContext,
  unseen: Unseen,
): Promise<Change[]> {
  const missing = await tx.rows<Record<string, unknown>>(
    `SELECT ${table.selected} FROM \`${table.name}\` WHERE \`connectionId\` = ? AND \`applicationId\` = ?
      AND \`deletedAt\` IS NULL AND ${unseen.sql} LIMIT ${TOMBSTONE_BATCH_SIZE}`,
    [connection.id, connection.applicationId, ...unseen.parameters],
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
