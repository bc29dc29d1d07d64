import { Entity, PrimaryGeneratedColumn } from 'typeorm'
import type { Id } from '../../domain/ids.ts'
import type { Instant } from '../../domain/time.ts'
import type { Rows, Transaction } from '../../storage/database.ts'
import { IdColumn, Indexes, InstantColumn, JsonColumn } from '../../storage/sql/columns.ts'
import { tableOf } from '../../storage/sql/table.ts'
import { type FilteredKind, filteredKinds, type RecordFilter } from './filtered-connection.ts'

/**
 * Change of a filter whose records do not have their new `modifiedAt` yet. It commits with the change. The job
 * `stamp-visibility` stamps the records and then deletes it.
 */
@Entity('filter_changes')
@Indexes(['connectionId', 'sequence'])
export class FilterChange {
  @PrimaryGeneratedColumn({ type: 'integer' })
  sequence: number

  @IdColumn()
  connectionId: Id<'connection'>

  @IdColumn()
  applicationId: Id<'application'>

  @IdColumn()
  kind: FilteredKind

  /** The filter that the change replaced; null if there was none. */
  @JsonColumn({ nullable: true })
  filterBefore: RecordFilter | null

  /** Last stamp of the connection before the change. Records with a later `modifiedAt` need no other. */
  @InstantColumn()
  lastStamp: Instant
}

const table = tableOf(FilterChange)

interface FilteredRow {
  readonly id: Id<'connection'>
  readonly applicationId: Id<'application'>
  readonly filters: Readonly<Record<string, unknown>> | null
}

/** Records which filters of a locked connection its transaction changes. */
export async function recordFilterChanges(
  tx: Transaction,
  before: FilteredRow,
  after: FilteredRow,
): Promise<void> {
  for (const kind of filteredKinds) {
    const [filterBefore, filter] = [before, after].map(({ filters }) =>
      filters?.[kind] ? JSON.stringify(filters[kind]) : null,
    )
    if (filterBefore === filter) continue
    await tx.run(
      `INSERT INTO \`filter_changes\` (\`connectionId\`, \`applicationId\`, \`kind\`, \`filterBefore\`, \`lastStamp\`)
        SELECT \`id\`, \`applicationId\`, ?, ?, \`lastStamp\` FROM \`connections\` WHERE \`id\` = ? AND \`applicationId\` = ?`,
      [kind, filterBefore, before.id, before.applicationId],
    )
  }
}

/** Returns the changes of a connection, the earliest first. */
export async function filterChangesOf(
  db: Rows,
  { id, applicationId }: Pick<FilteredRow, 'id' | 'applicationId'>,
): Promise<FilterChange[]> {
  const rows = await db.rows<Record<string, unknown>>(
    `SELECT \`sequence\`, ${table.selected} FROM \`filter_changes\`
      WHERE \`connectionId\` = ? AND \`applicationId\` = ? ORDER BY \`sequence\``,
    [id, applicationId],
  )
  return rows.map((row) => table.toRow(row))
}

/** Removes a change whose records are stamped. */
export const removeFilterChange = (
  tx: Transaction,
  { sequence, connectionId, applicationId }: FilterChange,
): Promise<number> =>
  tx.run('DELETE FROM `filter_changes` WHERE `sequence` = ? AND `connectionId` = ? AND `applicationId` = ?', [
    sequence,
    connectionId,
    applicationId,
  ])

/** Returns connections with changes whose records are not stamped yet. */
export async function connectionsWithFilterChanges(db: Rows, limit: number): Promise<string[]> {
  const rows = await db.rows<{ connectionId: string }>(
    `SELECT DISTINCT \`connectionId\` FROM \`filter_changes\` LIMIT ${limit}`,
  )
  return rows.map(({ connectionId }) => connectionId)
}
