import { type LatestModel, nodes, type NormalizedLatestRecords } from '../../../domain/record-models.ts'
import type { NormalizedHosAvailableTime } from '../../../domain/models/hos-available-time.ts'
import type { NormalizedTrailerLocation } from '../../../domain/models/trailer-location.ts'
import type { NormalizedLatestLocation } from '../../../domain/models/vehicle-location.ts'
import { derivedId } from '../../../domain/ids.ts'
import type { Rows, Transaction } from '../../../storage/database.ts'
import { placeholders } from '../../../storage/loaders/order-by-keys.ts'
import { type Table, tableOf } from '../../../storage/sql/table.ts'
import type { Connection } from '../../../subgraphs/connections/connection.ts'
import { latestRawOwnerId, RawRecord } from '../../../subgraphs/tables/raw-record.ts'
import { HosAvailableTime } from '../../../subgraphs/records/hos/hos-available-time.ts'
import type { EngineState } from '../../../subgraphs/schema/enums/engine-state.ts'
import { LatestVehicleLocation } from '../../../subgraphs/telemetry/location.ts'
import { LatestTrailerLocation } from '../../../subgraphs/telemetry/trailer-location.ts'
import type { Instant } from '../../../domain/time.ts'
import type { ParsedRecord } from '../parse-page.ts'
import { truncateTexts } from '../truncate-texts.ts'
import { locationRow, storeTimeSeries, type TimeSeriesStore, timeSeriesStores } from '../time-series-store.ts'

export type Row = Readonly<Record<string, unknown>>

type OwnerKind = 'vehicle' | 'trailer' | 'driver'

const ownedBy = (kind: OwnerKind) =>
  ({ kind, ownerColumn: `${kind}Id`, ownerTable: nodes[kind].table }) as const

/** Storage of one latest-state model. */
export interface LatestStateStore<Normalized> {
  readonly table: Table<object>
  /** Kind of the record that owns the state. */
  readonly kind: OwnerKind
  /** Column of the state table with the id of the owner. */
  readonly ownerColumn: `${OwnerKind}Id`
  /** Table of the owners. */
  readonly ownerTable: (typeof nodes)[OwnerKind]['table']
  row(connection: Connection, normalized: Normalized, stamp: Instant): Row
  /** Columns that may change while the location time stays the same. */
  readonly extraColumns: readonly string[]
  /** Returns the row that replaces the known row after `row` was read at `readAt`; null if the known row remains. */
  update(row: Row, known: Row, readAt: Instant): Row | null
  /** Time series that also stores each new location as a point. */
  readonly series?: TimeSeriesStore<Normalized>
}

const timeOf = (row: Row): number => Number(row['locatedAt'])

/**
 * Maximum lead of a tracker clock, in ms. Without this limit, a location from the future would remain the latest one
 * until its time has come.
 */
const MAX_AHEAD_MS = 5 * 60_000

/**
 * Update rule of locations: a later location replaces the known one. A location more than MAX_AHEAD_MS in the future
 * never replaces a plausible one, and any plausible one replaces it. A location with the same time is merged, because
 * an engine may stop or a tank may be filled while the vehicle stands.
 */
function locationRule(
  extraColumns: readonly string[],
): Pick<LatestStateStore<unknown>, 'extraColumns' | 'update'> {
  const hasNewValues = (row: Row, known: Row) =>
    extraColumns.some((name) => row[name] != null && row[name] !== known[name])
  return {
    extraColumns,
    update(row, known, readAt) {
      const [time, knownTime] = [timeOf(row), timeOf(known)]
      const isAhead = (instant: number) => instant > readAt + MAX_AHEAD_MS
      if (isAhead(time) !== isAhead(knownTime)) return isAhead(knownTime) ? row : null
      if (time !== knownTime) return time > knownTime ? row : null
      return hasNewValues(row, known) ? mergeWithKnown({ extraColumns }, row, known) : null
    },
  }
}

/** Adds the known values of extra columns that a row lacks, if both rows have the same location time. */
export function mergeWithKnown(
  { extraColumns }: Pick<LatestStateStore<never>, 'extraColumns'>,
  row: Row,
  known: Row,
): Row {
  if (timeOf(row) !== timeOf(known)) return row
  return {
    ...row,
    ...Object.fromEntries(extraColumns.map((name) => [name, row[name] ?? known[name] ?? null])),
  }
}

/** Storage of the latest-state models. */
export const latestStateStores: {
  readonly [M in LatestModel]: LatestStateStore<NormalizedLatestRecords[M]>
} = {
  LatestVehicleLocation: {
    table: tableOf(LatestVehicleLocation),
    ...ownedBy('vehicle'),
    row: vehicleRow,
    ...locationRule([
      'engineState',
      'engineRuntime',
      'odometer',
      'fuelPrimaryPercentage',
      'fuelSecondaryPercentage',
      'driverId',
    ]),
    series: timeSeriesStores.VehicleLocation,
  },
  LatestTrailerLocation: {
    table: tableOf(LatestTrailerLocation),
    ...ownedBy('trailer'),
    row: trailerRow,
    ...locationRule([]),
  },
  HOSAvailableTime: {
    table: tableOf(HosAvailableTime),
    ...ownedBy('driver'),
    row: clockRow,
    extraColumns: [],
    update: (row, known) =>
      ['currentStatus', 'cycle', 'shift', 'drive', 'break'].some((name) => row[name] !== known[name])
        ? row
        : null,
  },
}

interface LatestStateChanges {
  /** Number of written states. */
  readonly count: number
  /** Written states with a new location time. Meaningless for a model without locations. */
  readonly newLocations: readonly Row[]
}

/**
 * Stores latest states with their raw records. Skips states that add nothing to the known ones. Returns the changes.
 */
export async function storeLatestStates<Normalized>(
  tx: Transaction,
  store: LatestStateStore<Normalized>,
  connection: Connection,
  schemaName: string,
  parsed: readonly ParsedRecord<Normalized>[],
  stamp: Instant,
): Promise<LatestStateChanges> {
  const { table, ownerColumn } = store
  const all = parsed.map((record) => ({ record, row: store.row(connection, record.normalized, stamp) }))
  const known = await findKnownStates(
    tx,
    store,
    connection,
    all.map(({ row }) => String(row[ownerColumn])),
  )
  const updates = all.flatMap(({ record, row }) => {
    const before = known.get(String(row[ownerColumn]))
    const updated = before ? store.update(row, before, stamp) : row
    return updated ? [{ record, row: updated, isNewLocation: !before || timeOf(row) !== timeOf(before) }] : []
  })
  const newLocations = updates.filter(({ isNewLocation }) => isNewLocation)
  await tx.upsert(
    table,
    updates.map(({ row }) => row),
  )
  const { id: connectionId, applicationId, provider } = connection
  await tx.upsert(
    tableOf(RawRecord),
    updates.map(({ row, record }) => ({
      ownerId: latestRawOwnerId(String(row[ownerColumn])),
      applicationId,
      connectionId,
      provider,
      schemaName,
      extractedAt: stamp,
      data: record.raw,
    })),
  )
  if (store.series) {
    const points = newLocations.map(({ record }) => record)
    await storeTimeSeries(tx, store.series, connection, schemaName, points, stamp)
  }
  return { count: updates.length, newLocations: newLocations.map(({ row }) => row) }
}

/** Returns the stored states of these owners, by owner id. */
export async function findKnownStates<Normalized>(
  db: Rows,
  { table, ownerColumn }: LatestStateStore<Normalized>,
  { id: connectionId, applicationId }: Pick<Connection, 'id' | 'applicationId'>,
  ids: readonly string[],
): Promise<Map<string, Row>> {
  if (ids.length === 0) return new Map()
  const rows = await db.rows<Row>(
    `SELECT ${table.selected} FROM \`${table.name}\`
      WHERE \`connectionId\` = ? AND \`applicationId\` = ? AND \`${ownerColumn}\` IN (${placeholders(ids.length)})`,
    [connectionId, applicationId, ...ids],
  )
  return new Map(rows.map((row) => [String(row[ownerColumn]), row]))
}

function vehicleRow(connection: Connection, normalized: NormalizedLatestLocation, stamp: Instant): Row {
  return {
    ...locationRow(connection, normalized, stamp),
    // A value of 0 means that the device does not know the odometer.
    odometer: normalized.odometerKilometers || null,
    fuelPrimaryPercentage: normalized.fuelPrimaryPercentage,
    fuelSecondaryPercentage: normalized.fuelSecondaryPercentage,
    engineState: normalized.engineState as EngineState | null,
    engineRuntime: normalized.engineRuntimeMilliseconds,
  }
}

function trailerRow(connection: Connection, normalized: NormalizedTrailerLocation, stamp: Instant): Row {
  const row = {
    trailerId: derivedId('trailer', connection.id, normalized.trailerSourceId),
    applicationId: connection.applicationId,
    connectionId: connection.id,
    provider: connection.provider,
    locatedAt: normalized.locatedAt,
    longitude: normalized.location.longitude,
    latitude: normalized.location.latitude,
    addressText: normalized.address,
    heading: normalized.headingDegrees,
    speed: normalized.speedKph,
    modifiedAt: stamp,
  }
  return truncateTexts(row, tableOf(LatestTrailerLocation).lengths)
}

function clockRow(connection: Connection, normalized: NormalizedHosAvailableTime, stamp: Instant): Row {
  return {
    driverId: derivedId('driver', connection.id, normalized.driverSourceId),
    applicationId: connection.applicationId,
    connectionId: connection.id,
    provider: connection.provider,
    currentStatus: normalized.currentStatus,
    cycle: normalized.cycleMilliseconds,
    shift: normalized.shiftMilliseconds,
    drive: normalized.driveMilliseconds,
    break: normalized.breakMilliseconds,
    modifiedAt: stamp,
  }
}
