import { derivedId } from '../ids.ts'
import type { SyncedModel } from '../models.ts'
import type { Drafts, LocationDraft, StatLogDraft } from '../providers/drafts.ts'
import type { Database, Transaction } from '../storage/database.ts'
import { tupleIn } from '../storage/dialect.ts'
import { type Table, tableOf } from '../storage/table.ts'
import type { Connection } from '../subgraphs/connections/connection.ts'
import { RawPoint } from '../subgraphs/raw-record.ts'
import { VehicleLocation } from '../subgraphs/telemetry/location.ts'
import { VehicleStatLog } from '../subgraphs/telemetry/stat-log.ts'
import type { Instant } from '../time.ts'
import type { Read } from './read.ts'
import { referring } from './refer.ts'

/** The models that are series of points: they are stored by vehicle and time, and have no events. */
export type SeriesModel = Extract<SyncedModel, 'VehicleLocation' | 'VehicleStatLog'>

export const isSeries = (model: SyncedModel): model is SeriesModel => model in storedSeries

type Row = Readonly<Record<string, unknown>>
type Looked = Pick<Database, 'rows' | 'dialect'>

const LOOKED_UP_AT_ONCE = 500

const pointsOf = <Row extends object>(entity: abstract new () => Row) =>
  tableOf(entity) as unknown as Table<object>

export interface StoredSeries<Draft> {
  readonly table: Table<object>
  /**
   * Whether a point is told in several places, as where a vehicle is now and again as part of its history, and each may
   * tell what the other does not: what is known of it stays known.
   */
  readonly keepsKnown: boolean
  point(connection: Connection, draft: Draft, stamp: Instant): Point
}

export interface Point {
  readonly row: Row
  /** Where what the provider sent for it stands. */
  readonly key: Pick<RawPoint, 'ownerId' | 'at' | 'series'>
}

export const storedSeries: { readonly [M in SeriesModel]: StoredSeries<Drafts[M]> } = {
  VehicleLocation: {
    table: pointsOf(VehicleLocation),
    keepsKnown: true,
    point(connection, draft, stamp) {
      const row = locationRow(connection, draft, stamp)
      return { row: { ...row }, key: { ownerId: row.vehicleId, at: row.locatedAt, series: 'location' } }
    },
  },
  VehicleStatLog: {
    table: pointsOf(VehicleStatLog),
    keepsKnown: false,
    point(connection, draft, stamp) {
      const row = statRow(connection, draft, stamp)
      return { row, key: { ownerId: row.vehicleId, at: row.timestamp, series: row.type } }
    },
  },
}

/** Stores points of a series with what the provider sent, and gives how many it wrote. */
export async function storeSeries<Draft>(
  tx: Transaction,
  series: StoredSeries<Draft>,
  connection: Connection,
  schemaName: string,
  reads: readonly Read<Draft>[],
  stamp: Instant,
): Promise<number> {
  const { table, point } = series
  const all = reads.map(({ draft, raw, sent }) => ({ ...point(connection, draft, stamp), raw, sent }))
  const points = await newsOf(tx, series, connection, all)
  await tx.upsert(
    table,
    points.map(({ row }) => row),
  )
  const { id: connectionId, applicationId, provider } = connection
  await tx.upsert(
    tableOf(RawPoint),
    points.map(({ key, raw, sent = { schemaName, extractedAt: stamp } }) => ({
      ...key,
      applicationId,
      connectionId,
      provider,
      ...sent,
      data: raw,
    })),
  )
  return points.length
}

/** The points that are not stored yet, or say something else. */
export async function newsOf<P extends Point>(
  db: Looked,
  { table, keepsKnown }: Pick<StoredSeries<never>, 'table' | 'keepsKnown'>,
  connection: Connection,
  points: readonly P[],
): Promise<readonly P[]> {
  const known = await knownPoints(db, table, connection, points)
  const before = ({ row }: Point) => known.get(keyOf(table, row))
  return points
    .map((point) => {
      const kept = keepsKnown ? missingIn(point.row, before(point)) : {}
      return { ...point, row: { ...point.row, ...kept } }
    })
    .filter((point) => !saysTheSame(table, point.row, before(point)))
}

const keyOf = ({ primaryKey }: Table<object>, row: Row): string =>
  primaryKey.map((column) => row[column]).join(' ')

/** What is stored of points, by their keys. They are looked up one by one: they may lie anywhere in time. */
async function knownPoints(
  db: Looked,
  table: Table<object>,
  { id, applicationId }: Connection,
  points: readonly Point[],
): Promise<ReadonlyMap<string, Row>> {
  const { primaryKey } = table
  const known = new Map<string, Row>()
  for (let at = 0; at < points.length; at += LOOKED_UP_AT_ONCE) {
    const some = points.slice(at, at + LOOKED_UP_AT_ONCE)
    const theirs = tupleIn(
      db.dialect,
      primaryKey,
      some.map(({ row }) => primaryKey.map((column) => row[column])),
    )
    const rows = await db.rows<Record<string, unknown>>(
      `SELECT ${table.selected} FROM \`${table.name}\` WHERE \`connectionId\` = ? AND \`applicationId\` = ?
        AND ${theirs.sql}`,
      [id, applicationId, ...theirs.parameters],
    )
    for (const row of rows) known.set(keyOf(table, row), row)
  }
  return known
}

/** What is known of a point and not told this time. */
const missingIn = (row: Row, known: Row = {}): Row =>
  Object.fromEntries(
    Object.entries(known).filter(([column, value]) => value !== null && row[column] === null),
  )

export const saysTheSame = ({ selectedColumns }: Table<object>, row: Row, known: Row | undefined): boolean =>
  known !== undefined &&
  selectedColumns.every((column) => column === 'modifiedAt' || (row[column] ?? null) === known[column])

export function locationRow(connection: Connection, draft: LocationDraft, stamp: Instant): VehicleLocation {
  const refer = referring(connection.id)
  return {
    vehicleId: derivedId('vehicle', connection.id, draft.vehicleSourceId),
    locatedAt: draft.locatedAt,
    applicationId: connection.applicationId,
    connectionId: connection.id,
    provider: connection.provider,
    sourceId: draft.sourceId ?? null,
    driverId: refer('driver', draft.driverSourceId),
    longitude: draft.location.longitude,
    latitude: draft.location.latitude,
    addressText: draft.address,
    heading: draft.headingDegrees,
    speed: draft.speedKph,
    modifiedAt: stamp,
  }
}

const statRow = (connection: Connection, draft: StatLogDraft, stamp: Instant) => ({
  vehicleId: derivedId('vehicle', connection.id, draft.vehicleSourceId),
  timestamp: draft.timestamp,
  type: draft.type,
  applicationId: connection.applicationId,
  connectionId: connection.id,
  provider: connection.provider,
  sourceId: draft.sourceId,
  value: draft.value,
  state: draft.state,
  modifiedAt: stamp,
})
