import type { Kind } from '../../../domain/ids.ts'
import type { Rows } from '../../../storage/database.ts'
import { groupByKeys, placeholders } from '../../../storage/loaders/order-by-keys.ts'
import type { Connection } from '../../../subgraphs/connections/connection.ts'
import { Driver } from '../../../subgraphs/fleet/driver.ts'
import { EntityMetadata, Visibility } from '../../../subgraphs/fleet/value-types/entity-metadata.ts'
import { Vehicle } from '../../../subgraphs/fleet/vehicle.ts'
import {
  type FaultCodeEvent,
  FaultCodeProtocol,
  J1939FaultCodeEvent,
  ObdiiFaultCodeEvent,
} from '../../../subgraphs/records/fault-code-event.ts'
import { HosLog } from '../../../subgraphs/records/hos/hos-log.ts'
import { SafetyEvent } from '../../../subgraphs/records/safety/safety-event.ts'
import { Trip } from '../../../subgraphs/records/trip.ts'
import type { ProviderRecord } from '../../../subgraphs/tables/provider-record.ts'
import { hiddenReason } from '../../../subgraphs/tables/visibility.ts'
import type { ConnectionFilters, FilteredKind } from '../../../subgraphs/tables/filtered-connection.ts'
import { type RestJson, toRestJson } from '../../../subgraphs/schema/rest-serializer.ts'
import { visibleReference } from '../../ingest/connection-filter.ts'
import type { StoredModel } from '../stored-models.ts'

type SnapshotBuilder = (
  db: Rows,
  connection: Connection,
  rows: readonly ProviderRecord[],
) => Promise<RestJson[]>

/**
 * Builds the records in events, from rows of one connection. A snapshot equals the current answer of the REST
 * route of the record, such as `GET /tsp/v1/vehicles/{id}`, or its item in the REST list.
 */
export async function snapshotsOf(
  db: Rows,
  connection: Connection,
  { kind, entity }: Pick<StoredModel<never>, 'kind' | 'entity'>,
  rows: readonly ProviderRecord[],
): Promise<RestJson[]> {
  const build = builders[kind]
  return build ? build(db, connection, rows) : rows.map((row) => toRestJson(entity, row))
}

/** Builders for the kinds whose REST records have members that their rows or entities lack. */
const builders: Readonly<Partial<Record<Kind, SnapshotBuilder>>> = {
  async vehicle(db, connection, rows) {
    const devices = await deviceIdsOf(db, connection, rows)
    return (rows as Vehicle[]).map((row, index) =>
      toRestJson(Vehicle, row, {
        groups: row.groupIds,
        devices: devices[index],
        metadata: metadataOf(row, connection, 'vehicles'),
      }),
    )
  },
  driver: async (_db, connection, rows) =>
    (rows as Driver[]).map((row) =>
      toRestJson(Driver, row, { groups: row.groupIds, metadata: metadataOf(row, connection, 'drivers') }),
    ),
  trip: async (db, connection, rows) => withDrivers(db, connection, Trip, rows as Trip[]),
  safetyEvent: async (db, connection, rows) =>
    withDrivers(db, connection, SafetyEvent, rows as SafetyEvent[]),
  async hosLog(db, connection, rows) {
    const logs = rows as HosLog[]
    const [vehicle, driver] = await Promise.all([
      visibleReference(
        db,
        connection,
        'vehicle',
        logs.map(({ vehicleId }) => vehicleId),
      ),
      visibleReference(
        db,
        connection,
        'driver',
        logs.flatMap(({ codriverIds }) => codriverIds),
      ),
    ])
    return logs.map((row) =>
      toRestJson(HosLog, row, {
        vehicle: vehicle(row.vehicleId),
        codrivers: row.codriverIds.filter((id) => driver(id) !== null),
      }),
    )
  },
  faultCodeEvent: async (_db, _connection, rows) =>
    (rows as FaultCodeEvent[]).map((row) =>
      toRestJson(row.protocol === FaultCodeProtocol.J1939 ? J1939FaultCodeEvent : ObdiiFaultCodeEvent, row),
    ),
}

/** Serializes records of vehicles, with the driver if it is visible. */
async function withDrivers<Row extends Trip | SafetyEvent>(
  db: Rows,
  connection: Connection,
  entity: new () => Row,
  rows: readonly Row[],
): Promise<RestJson[]> {
  const driver = await visibleReference(
    db,
    connection,
    'driver',
    rows.map(({ driverId }) => driverId),
  )
  return rows.map((row) => toRestJson(entity, row, { driver: driver(row.driverId) }))
}

const metadataOf = (row: Vehicle | Driver, connection: Connection, kind: FilteredKind): RestJson =>
  toRestJson(EntityMetadata, row as EntityMetadata, {
    visibility: visibilityOf(row, connection, kind),
  })

function visibilityOf(row: Vehicle | Driver, { filters }: Connection, kind: FilteredKind): string {
  if (row.deletedAt !== null) return Visibility.DELETED
  const filter = (filters as ConnectionFilters | null)?.[kind]
  return (filter && hiddenReason(filter, row)) ?? Visibility.VISIBLE
}

/** Returns the device ids of each vehicle, in ascending order. */
async function deviceIdsOf(
  db: Rows,
  { id: connectionId, applicationId }: Connection,
  vehicles: readonly ProviderRecord[],
): Promise<string[][]> {
  const ids = vehicles.map(({ id }) => id)
  if (ids.length === 0) return []
  const rows = await db.rows<{ id: string; vehicleId: string }>(
    `SELECT \`id\`, \`vehicleId\` FROM \`devices\`
      WHERE \`connectionId\` = ? AND \`applicationId\` = ? AND \`vehicleId\` IN (${placeholders(ids.length)})
      ORDER BY \`id\``,
    [connectionId, applicationId, ...ids],
  )
  return groupByKeys(ids, rows, ({ vehicleId }) => vehicleId).map((devices) => devices.map(({ id }) => id))
}
