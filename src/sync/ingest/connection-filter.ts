import { derivedId } from '../../domain/ids.ts'
import { modelNamed, type RawRetainedModel } from '../../domain/record-models.ts'
import type { Rows } from '../../storage/database.ts'
import { placeholders } from '../../storage/loaders/order-by-keys.ts'
import type { Connection } from '../../subgraphs/connections/connection.ts'
import { hiddenReason } from '../../subgraphs/tables/visibility.ts'
import {
  type ConnectionFilters,
  type RecordFilter,
  type FilteredKind,
  filteredOwners,
} from '../../subgraphs/tables/filtered-connection.ts'
import type { ParsedRecord } from './parse-page.ts'

/**
 * Returns the records whose vehicle or driver the filters of the connection do not hide. Without filters it runs no
 * query.
 */
export async function filterByVisibleOwners<Normalized>(
  db: Rows,
  connection: Connection,
  model: RawRetainedModel,
  parsed: readonly ParsedRecord<Normalized>[],
): Promise<readonly ParsedRecord<Normalized>[]> {
  const { owner } = modelNamed(model)
  const kind = owner && filteredOwners[owner]
  const filter = kind && (connection.filters as ConnectionFilters | null)?.[kind]
  if (!kind || !filter) return parsed
  const idOf = ({ normalized }: ParsedRecord<Normalized>) =>
    derivedId(owner, connection.id, String((normalized as Record<string, unknown>)[`${owner}SourceId`]))
  const statuses = await statusesOf(db, connection, kind, filter, [...new Set(parsed.map(idOf))])
  return parsed.filter((record) => {
    const id = idOf(record)
    // A vehicle or driver that is not stored yet passes a status filter.
    return hiddenReason(filter, { id, status: statuses.get(id) ?? filter.status ?? '' }) === null
  })
}

async function statusesOf(
  db: Rows,
  { id: connectionId, applicationId }: Connection,
  kind: FilteredKind,
  { status }: RecordFilter,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (!status || ids.length === 0) return new Map()
  const rows = await db.rows<{ id: string; status: string }>(
    `SELECT \`id\`, \`status\` FROM \`${kind}\`
      WHERE \`connectionId\` = ? AND \`applicationId\` = ? AND \`id\` IN (${placeholders(ids.length)})`,
    [connectionId, applicationId, ...ids],
  )
  return new Map(rows.map((row) => [row.id, row.status]))
}
