import { derivedId } from '../../domain/ids.ts'
import type { Owner } from '../../domain/models/define-model.ts'
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
  if (!owner || !filterOf(connection, owner)) return parsed
  const idOf = ({ normalized }: ParsedRecord<Normalized>) =>
    derivedId(owner, connection.id, String((normalized as Record<string, unknown>)[`${owner}SourceId`]))
  const hidden = await hiddenOwners(db, connection, owner, parsed.map(idOf))
  return parsed.filter((record) => !hidden.has(idOf(record)))
}

/** Returns the filter of a connection for a kind of owner; null if it has none. */
export function filterOf({ filters }: Connection, owner: Owner): RecordFilter | null {
  const kind = filteredOwners[owner]
  return (kind && (filters as ConnectionFilters | null)?.[kind]) ?? null
}

/**
 * Returns which vehicles or drivers the filters of the connection hide. One that is not stored yet passes a status
 * filter.
 */
export async function hiddenOwners(
  db: Rows,
  connection: Connection,
  owner: Owner,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const [kind, filter] = [filteredOwners[owner], filterOf(connection, owner)]
  if (!kind || !filter) return new Set()
  const distinct = [...new Set(ids)]
  const statuses = await statusesOf(db, connection, kind, filter, distinct)
  return new Set(
    distinct.filter(
      (id) => hiddenReason(filter, { id, status: statuses.get(id) ?? filter.status ?? '' }) !== null,
    ),
  )
}

/** Returns a function that returns an id, or null if it is null or the filters of the connection hide its record. */
export async function visibleReference(
  db: Rows,
  connection: Connection,
  owner: Owner,
  ids: readonly (string | null)[],
): Promise<(id: string | null) => string | null> {
  const known = ids.filter((id) => id !== null)
  const hidden = await hiddenOwners(db, connection, owner, known)
  return (id) => (id !== null && hidden.has(id) ? null : id)
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
