import { derivedId } from '../../domain/ids.ts'
import type { NormalizedRecords, SyncedModel } from '../../domain/record-models.ts'
import type { NormalizedLocation } from '../../domain/models/vehicle-location.ts'
import type { NormalizedStatLog } from '../../domain/models/vehicle-stat-log.ts'
import type { Database, Transaction } from '../../storage/database.ts'
import { tupleIn } from '../../storage/sql/dialect.ts'
import { type Table, tableOf } from '../../storage/sql/table.ts'
import type { Connection } from '../../subgraphs/connections/connection.ts'
import { RawPoint } from '../../subgraphs/tables/raw-record.ts'
import { VehicleLocation } from '../../subgraphs/telemetry/location.ts'
import { VehicleStatLog } from '../../subgraphs/telemetry/stat-log.ts'
import type { Instant } from '../../domain/time.ts'
import type { ParsedRecord } from './parse-page.ts'
import { idResolverFor } from './resolve-ids.ts'
import { truncateTexts } from './truncate-texts.ts'

/**
 * Models that are time series. The key of a point is its vehicle and time, and for a measurement its type. Points cause
 * no events.
 */
export type TimeSeriesModel = Extract<SyncedModel, 'VehicleLocation' | 'VehicleStatLog'>

export const isTimeSeries = (model: SyncedModel): model is TimeSeriesModel => model in timeSeriesStores

type Row = Readonly<Record<string, unknown>>
type PointLookup = Pick<Database, 'rows' | 'dialect'>

const LOOKUP_BATCH = 500

/** Storage of one time series model. */
export interface TimeSeriesStore<Normalized> {
  readonly table: Table<object>
  /**
   * Whether known values stay if a point arrives again without them. A location arrives both as a latest state and in
   * the history, and each form may lack values that the other has.
   */
  readonly keepsKnown: boolean
  point(connection: Connection, normalized: Normalized, stamp: Instant): SeriesPoint
}

export interface SeriesPoint {
  readonly row: Row
  /** Key of the raw data of the point. */
  readonly key: Pick<RawPoint, 'ownerId' | 'at' | 'series'>
}

export const timeSeriesStores: { readonly [M in TimeSeriesModel]: TimeSeriesStore<NormalizedRecords[M]> } = {
  VehicleLocation: {
    table: tableOf(VehicleLocation),
    keepsKnown: true,
    point(connection, normalized, stamp) {
      const row = locationRow(connection, normalized, stamp)
      return { row: { ...row }, key: { ownerId: row.vehicleId, at: row.locatedAt, series: 'location' } }
    },
  },
  VehicleStatLog: {
    table: tableOf(VehicleStatLog),
    keepsKnown: false,
    point(connection, normalized, stamp) {
      const row = statRow(connection, normalized, stamp)
      return { row, key: { ownerId: row.vehicleId, at: row.timestamp, series: row.type } }
    },
  },
}

/** Stores points of a time series with their raw data. Returns the number of written points. */
export async function storeTimeSeries<Normalized>(
  tx: Transaction,
  series: TimeSeriesStore<Normalized>,
  connection: Connection,
  schemaName: string,
  parsed: readonly ParsedRecord<Normalized>[],
  stamp: Instant,
): Promise<number> {
  const { table, point } = series
  const all = parsed.map(({ normalized, raw, origin }) => ({
    ...point(connection, normalized, stamp),
    raw,
    origin,
  }))
  const points = await newOrChangedPoints(tx, series, connection, all)
  await tx.upsert(
    table,
    points.map(({ row }) => row),
  )
  const { id: connectionId, applicationId, provider } = connection
  await tx.upsert(
    tableOf(RawPoint),
    points.map(({ key, raw, origin = { schemaName, extractedAt: stamp } }) => ({
      ...key,
      applicationId,
      connectionId,
      provider,
      ...origin,
      data: raw,
    })),
  )
  return points.length
}

/** Returns the points that are not stored yet or differ from the stored ones. */
export async function newOrChangedPoints<P extends SeriesPoint>(
  db: PointLookup,
  { table, keepsKnown }: Pick<TimeSeriesStore<never>, 'table' | 'keepsKnown'>,
  connection: Connection,
  points: readonly P[],
): Promise<readonly P[]> {
  const known = await knownPoints(db, table, connection, points)
  const before = ({ row }: SeriesPoint) => known.get(keyOf(table, row))
  return points
    .map((point) => {
      const kept = keepsKnown ? missingIn(point.row, before(point)) : {}
      return { ...point, row: { ...point.row, ...kept } }
    })
    .filter((point) => !isSameContent(table, point.row, before(point)))
}

const keyOf = ({ primaryKey }: Table<object>, row: Row): string =>
  primaryKey.map((column) => row[column]).join(' ')

/** Returns the stored rows of points by key. The lookup is by primary key, because the points can have any time. */
async function knownPoints(
  db: PointLookup,
  table: Table<object>,
  { id, applicationId }: Connection,
  points: readonly SeriesPoint[],
): Promise<ReadonlyMap<string, Row>> {
  const { primaryKey } = table
  const known = new Map<string, Row>()
  for (let start = 0; start < points.length; start += LOOKUP_BATCH) {
    const batch = points.slice(start, start + LOOKUP_BATCH)
    const keys = tupleIn(
      db.dialect,
      primaryKey,
      batch.map(({ row }) => primaryKey.map((column) => row[column])),
    )
    const rows = await db.rows<Record<string, unknown>>(
      `SELECT ${table.selected} FROM \`${table.name}\` WHERE \`connectionId\` = ? AND \`applicationId\` = ?
        AND ${keys.sql}`,
      [id, applicationId, ...keys.parameters],
    )
    for (const row of rows) known.set(keyOf(table, row), row)
  }
  return known
}

/** Returns the known values of a point that the row lacks. */
const missingIn = (row: Row, known: Row = {}): Row =>
  Object.fromEntries(
    Object.entries(known).filter(([column, value]) => value !== null && row[column] === null),
  )

export const isSameContent = (
  { selectedColumns }: Table<object>,
  row: Row,
  known: Row | undefined,
): boolean =>
  known !== undefined &&
  selectedColumns.every((column) => column === 'modifiedAt' || (row[column] ?? null) === known[column])

export function locationRow(
  connection: Connection,
  normalized: NormalizedLocation,
  stamp: Instant,
): VehicleLocation {
  const resolveId = idResolverFor(connection.id)
  const row = {
    vehicleId: derivedId('vehicle', connection.id, normalized.vehicleSourceId),
    locatedAt: normalized.locatedAt,
    applicationId: connection.applicationId,
    connectionId: connection.id,
    provider: connection.provider,
    sourceId: normalized.sourceId ?? null,
    driverId: resolveId('driver', normalized.driverSourceId),
    longitude: normalized.location.longitude,
    latitude: normalized.location.latitude,
    addressText: normalized.address,
    heading: normalized.headingDegrees,
    speed: normalized.speedKph,
    modifiedAt: stamp,
  }
  return truncateTexts(row, tableOf(VehicleLocation).lengths)
}

const statRow = (connection: Connection, normalized: NormalizedStatLog, stamp: Instant) =>
  truncateTexts(
    {
      vehicleId: derivedId('vehicle', connection.id, normalized.vehicleSourceId),
      timestamp: normalized.timestamp,
      type: normalized.type,
      applicationId: connection.applicationId,
      connectionId: connection.id,
      provider: connection.provider,
      sourceId: normalized.sourceId,
      value: normalized.value,
      state: normalized.state,
      modifiedAt: stamp,
    },
    tableOf(VehicleStatLog).lengths,
  )
