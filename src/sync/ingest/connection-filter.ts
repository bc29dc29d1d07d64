import { derivedId, type Kind } from '../../domain/ids.ts'
import type { LatestModel, SyncedModel } from '../../domain/record-models.ts'
import type { Rows } from '../../storage/database.ts'
import { placeholders } from '../../storage/loaders/order-by-keys.ts'
import type { Connection } from '../../subgraphs/connections/connection.ts'
import { hiddenReason } from '../../subgraphs/tables/visibility.ts'
import type { ConnectionFilters } from '../../subgraphs/tables/filtered-connection.ts'
import type { RecordFilter } from '../../subgraphs/tables/filtered-connection.ts'
import type { FilteredKind } from '../../subgraphs/tables/filtered-connection.ts'
import type { ParsedRecord } from './parse-page.ts'

/** Whose records a connection's filters also keep from being stored (gaps 1.1). */
const owners: Partial<Record<SyncedModel | LatestModel, FilteredKind>> = {
  Trip: 'vehicles',
  SafetyEvent: 'vehicles',
  FaultCodeEvent: 'vehicles',
  VehicleUtilization: 'vehicles',
  VehicleLocation: 'vehicles',
  VehicleStatLog: 'vehicles',
  IFTASummary: 'vehicles',
  HOSLog: 'drivers',
  HOSDailyLog: 'drivers',
  LatestVehicleLocation: 'vehicles',
  HOSAvailableTime: 'drivers',
}

const members = { vehicles: 'vehicleSourceId', drivers: 'driverSourceId' } as const
const kinds: Readonly<Record<FilteredKind, Kind>> = { vehicles: 'vehicle', drivers: 'driver' }

/** The records whose vehicle or driver the connection's filters show. Without filters it costs nothing. */
export async function filterByVisibleOwners<Draft>(
  db: Rows,
  connection: Connection,
  model: SyncedModel | LatestModel,
  parsed: readonly ParsedRecord<Draft>[],
): Promise<readonly ParsedRecord<Draft>[]> {
  const kind = owners[model]
  const filter = kind && (connection.filters as ConnectionFilters | null)?.[kind]
  if (!kind || !filter) return parsed
  const idOf = ({ normalized }: ParsedRecord<Draft>) =>
    derivedId(kinds[kind], connection.id, String((normalized as Record<string, unknown>)[members[kind]]))
  const statuses = await statusesOf(db, connection.id, kind, filter, [...new Set(parsed.map(idOf))])
  return parsed.filter((read) => {
    const id = idOf(read)
    // One of which nothing is known yet is not hidden by a status.
    return hiddenReason(filter, { id, status: statuses.get(id) ?? filter.status ?? '' }) === null
  })
}

async function statusesOf(
  db: Rows,
  connectionId: string,
  kind: FilteredKind,
  { status }: RecordFilter,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (!status || ids.length === 0) return new Map()
  const rows = await db.rows<{ id: string; status: string }>(
    `SELECT \`id\`, \`status\` FROM \`${kind}\` WHERE \`connectionId\` = ? AND \`id\` IN (${placeholders(ids.length)})`,
    [connectionId, ...ids],
  )
  return new Map(rows.map((row) => [row.id, row.status]))
}
