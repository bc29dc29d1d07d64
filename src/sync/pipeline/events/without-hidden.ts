import type { Owner } from '../../../domain/models/define-model.ts'
import type { Rows } from '../../../storage/database.ts'
import type { Connection } from '../../../subgraphs/connections/connection.ts'
import { filterChangesOf } from '../../../subgraphs/tables/filter-change.ts'
import { filteredOwners, type RecordFilter } from '../../../subgraphs/tables/filtered-connection.ts'
import { hiddenReason } from '../../../subgraphs/tables/visibility.ts'
import { filterOf, hiddenOwners } from '../../ingest/connection-filter.ts'
import type { Change } from '../diff-page.ts'
import type { ListedRow, StoredModel } from '../stored-models.ts'

type Filtered = Pick<StoredModel<never>, 'kind' | 'owner'>

/**
 * Returns the changes without those of hidden vehicles and drivers, and of their records. A change that hides a vehicle
 * or driver stays: a copy of the roster learns from its event that the record is hidden.
 */
export function withoutHidden(
  db: Rows,
  connection: Connection,
  model: Filtered,
  changes: readonly Change[],
): Promise<readonly Change[]> {
  return model.kind in filteredOwners
    ? ofRoster(db, connection, model.kind as Owner, changes)
    : ofVisibleOwners(db, connection, model.owner, changes)
}

async function ofRoster(db: Rows, connection: Connection, kind: Owner, changes: readonly Change[]) {
  const filter = filterOf(connection, kind)
  const isHidden = ({ row }: Change) =>
    row.deletedAt === null && hides(filter, row.id, (row as ListedRow).status)
  if (!filter || !changes.some(isHidden)) return changes
  // The events of these filter changes may be missing yet: those of records without a later stamp.
  const filterChanges = (await filterChangesOf(db, connection)).filter(
    (change) => change.kind === filteredOwners[kind],
  )
  const wasHidden = ({ kind, row: { id }, before }: Change) => {
    if (!before) return kind === 'added'
    const unannounced = filterChanges.filter(({ lastStamp }) => lastStamp >= Number(before.modifiedAt))
    const filters = [filter, ...unannounced.map(({ filterBefore }) => filterBefore)]
    return filters.every((each) => hides(each, id, before.status ?? ''))
  }
  return changes.filter((change) => !isHidden(change) || !wasHidden(change))
}

const hides = (filter: RecordFilter | null, id: string, status: string): boolean =>
  filter !== null && hiddenReason(filter, { id, status }) !== null

async function ofVisibleOwners(
  db: Rows,
  connection: Connection,
  owner: Owner | undefined,
  changes: readonly Change[],
) {
  if (!owner || !filterOf(connection, owner)) return changes
  const ownerIdOf = ({ row }: Change) => String((row as unknown as Record<string, unknown>)[`${owner}Id`])
  const hidden = await hiddenOwners(db, connection, owner, changes.map(ownerIdOf))
  return changes.filter((change) => !hidden.has(ownerIdOf(change)))
}
