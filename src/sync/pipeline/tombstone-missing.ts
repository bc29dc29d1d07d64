import { purgeRemoved } from '../ingest/purge-removed.ts'
import type { WholeBy, TimeWindow } from '../../providers/provider.ts'
import type { Transaction } from '../../storage/database.ts'
import { placeholders } from '../../storage/loaders/order-by-keys.ts'
import type { Where } from '../../storage/sql/where.ts'
import { toIso } from '../../domain/time.ts'
import type { StoredModel } from './stored-models.ts'
import type { Change } from './diff-page.ts'
import type { WriteContext } from './write-context.ts'

/** So many records are marked as deleted in one commit. */
export const TOMBSTONE_BATCH_SIZE = 500

/** Which records are gone. */
export type Unseen = Where

/** Where the list is one page. */
export const allExcept = (ids: readonly string[]): Unseen =>
  ids.length === 0
    ? { sql: '1 = 1', parameters: [] }
    : { sql: `\`id\` NOT IN (${placeholders(ids.length)})`, parameters: [...ids] }

/** Where the provider names them: no more than are marked in one commit. */
export const onlyThese = (ids: readonly string[]): Unseen => ({
  sql: `\`id\` IN (${placeholders(ids.length)})`,
  parameters: [...ids],
})

/** Where each page has marked what it had. */
export const unseenBySync = (syncId: string): Unseen => ({ sql: UNSEEN, parameters: [syncId] })

const UNSEEN = '(`seenIn` IS NULL OR `seenIn` <> ?)'

/** Which sync read, into which table of which connection. */
interface ReadScope {
  readonly syncId: string
  readonly connectionId: string
  readonly table: string
}

/** What the pages of a time should have told, by what they tell whole, and have not. */
export const missingWithin: Readonly<Record<WholeBy, (told: ReadScope, window: TimeWindow) => Unseen>> = {
  driver: ({ syncId, connectionId, table }, { from, to }) => ({
    sql: `\`startedAt\` >= ? AND \`startedAt\` < ? AND ${UNSEEN} AND \`driverId\` IN
      (SELECT \`driverId\` FROM \`${table}\` WHERE \`connectionId\` = ? AND \`startedAt\` >= ? AND \`seenIn\` = ?)`,
    parameters: [from, to, syncId, connectionId, from, syncId],
  }),
  /** What began before the first may be older than the provider keeps anything, or run when the time begins. */
  vehicle: ({ syncId, connectionId, table }, { from, to }) => ({
    sql: `\`startedAt\` >= ? AND \`startedAt\` < ? AND ${UNSEEN} AND EXISTS
      (SELECT 1 FROM \`${table}\` AS \`told\` WHERE \`told\`.\`vehicleId\` = \`${table}\`.\`vehicleId\`
        AND \`told\`.\`startedAt\` >= ? AND \`told\`.\`startedAt\` < \`${table}\`.\`startedAt\`
        AND \`told\`.\`connectionId\` = ? AND \`told\`.\`seenIn\` = ?)`,
    parameters: [from, to, syncId, from, connectionId, syncId],
  }),
  vehicle_month({ syncId, connectionId, table }, { from }) {
    const first = toIso(from - FARTHEST_ZONE_MS).slice(0, 7)
    return {
      sql: `\`month\` >= ? AND ${UNSEEN} AND (\`vehicleId\`, \`month\`) IN
      (SELECT \`vehicleId\`, \`month\` FROM \`${table}\` WHERE \`connectionId\` = ? AND \`month\` >= ? AND \`seenIn\` = ?)`,
      parameters: [first, syncId, connectionId, first, syncId],
    }
  },
}

/** No zone is as far from UTC. */
const FARTHEST_ZONE_MS = 86_400_000

/** What is stored and gone is marked as deleted, so many at a time. */
export async function tombstoneMissing<Draft>(
  tx: Transaction,
  { kind, table }: StoredModel<Draft>,
  { connection, stamp }: WriteContext,
  unseen: Unseen,
): Promise<Change[]> {
  const gone = await tx.rows<Record<string, unknown>>(
    `SELECT ${table.selected} FROM \`${table.name}\` WHERE \`connectionId\` = ? AND \`deletedAt\` IS NULL
      AND ${unseen.sql} LIMIT ${TOMBSTONE_BATCH_SIZE}`,
    [connection.id, ...unseen.parameters],
  )
  if (gone.length === 0) return []
  const rows = gone.map((row) => ({ ...table.toRow(row), deletedAt: stamp, modifiedAt: stamp }))
  const ids = rows.map(({ id }) => id)
  await tx.run(
    `UPDATE \`${table.name}\` SET \`deletedAt\` = ?, \`modifiedAt\` = ? WHERE \`connectionId\` = ? AND \`id\` IN (${placeholders(rows.length)})`,
    [stamp, stamp, connection.id, ...ids],
  )
  await purgeRemoved(tx, kind, connection, ids)
  return rows.map((row) => ({ kind: 'removed', row }))
}
