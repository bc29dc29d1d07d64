import { derivedId, type Kind } from '../ids.ts'
import type { LatestModel, SyncedModel } from '../models.ts'
import type { Rows } from '../storage/database.ts'
import { placeholders } from '../storage/in-order.ts'
import type { Connection } from '../subgraphs/connections/connection.ts'
import {
  type ConnectionFilters,
  type FilteredKind,
  hiddenBy,
  type RecordFilter,
} from '../subgraphs/visibility.ts'
import type { Read } from './read.ts'

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
export async function ofShownOwners<Draft>(
  db: Rows,
  connection: Connection,
  model: SyncedModel | LatestModel,
  reads: readonly Read<Draft>[],
): Promise<readonly Read<Draft>[]> {
  const kind = owners[model]
  const filter = kind && (connection.filters as ConnectionFilters | null)?.[kind]
  if (!kind || !filter) return reads
  const idOf = ({ draft }: Read<Draft>) =>
    derivedId(kinds[kind], connection.id, String((draft as Record<string, unknown>)[members[kind]]))
  const statuses = await statusesOf(db, connection.id, kind, filter, [...new Set(reads.map(idOf))])
  return reads.filter((read) => {
    const id = idOf(read)
    // One of which nothing is known yet is not hidden by a status.
    return hiddenBy(filter, { id, status: statuses.get(id) ?? filter.status ?? '' }) === null
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
