import { derivedId, type Kind } from '../../domain/ids.ts'
import type { LatestModel, SyncedModel } from '../../domain/record-models.ts'
import type { Rows } from '../../storage/database.ts'
import { placeholders } from '../../storage/loaders/order-by-keys.ts'
import type { Connection } from '../../subgraphs/connections/connection.ts'
import { hiddenReason } from '../../subgraphs/tables/visibility.ts'
import type {
  ConnectionFilters,
  RecordFilter,
  FilteredKind,
} from '../../subgraphs/tables/filtered-connection.ts'
import type { ParsedRecord } from './parse-page.ts'

/** Filter by model. A connection stores no records of vehicles or drivers that its filters hide. */
const filterKinds: Partial<Record<SyncedModel | LatestModel, FilteredKind>> = {
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

const ownerFields = { vehicles: 'vehicleSourceId', drivers: 'driverSourceId' } as const
const idKinds: Readonly<Record<FilteredKind, Kind>> = { vehicles: 'vehicle', drivers: 'driver' }

/**
 * Returns the records whose vehicle or driver passes the filters of the connection. Without filters it runs
 * no query.
 */
export async function filterByVisibleOwners<Normalized>(
  db: Rows,
  connection: Connection,
  model: SyncedModel | LatestModel,
  parsed: readonly ParsedRecord<Normalized>[],
): Promise<readonly ParsedRecord<Normalized>[]> {
  const kind = filterKinds[model]
  const filter = kind && (connection.filters as ConnectionFilters | null)?.[kind]
  if (!kind || !filter) return parsed
  const idOf = ({ normalized }: ParsedRecord<Normalized>) =>
    derivedId(
      idKinds[kind],
      connection.id,
      String((normalized as Record<string, unknown>)[ownerFields[kind]]),
    )
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
