import { derivedId } from '../ids.ts'
import type { SyncedModel } from '../models.ts'
import type { Drafts, LocationDraft, StatLogDraft } from '../providers/drafts.ts'
import type { Transaction } from '../storage/database.ts'
import { type Table, tableOf } from '../storage/table.ts'
import type { Connection } from '../subgraphs/connections/connection.ts'
import { RawPoint } from '../subgraphs/raw-record.ts'
import { VehicleLocation } from '../subgraphs/telemetry/location.ts'
import { VehicleStatLog } from '../subgraphs/telemetry/stat-log.ts'
import type { Instant } from '../time.ts'
import { referring } from './stored-models.ts'
import type { Read } from './upsert.ts'

/** The models that are series of points: they are stored by vehicle and time, and have no events. */
export type SeriesModel = Extract<SyncedModel, 'VehicleLocation' | 'VehicleStatLog'>

export const isSeries = (model: SyncedModel): model is SeriesModel => model in storedSeries

const pointsOf = <Row extends object>(entity: abstract new () => Row) =>
  tableOf(entity) as unknown as Table<object>

interface StoredSeries<Draft> {
  readonly table: Table<object>
  point(connection: Connection, draft: Draft, stamp: Instant): Point
}

interface Point {
  readonly row: object
  /** Where what the provider sent for it stands. */
  readonly key: Pick<RawPoint, 'ownerId' | 'at' | 'series'>
}

export const storedSeries: { readonly [M in SeriesModel]: StoredSeries<Drafts[M]> } = {
  VehicleLocation: {
    table: pointsOf(VehicleLocation),
    point(connection, draft, stamp) {
      const row = locationRow(connection, draft, stamp)
      return { row, key: { ownerId: row.vehicleId, at: row.locatedAt, series: 'location' } }
    },
  },
  VehicleStatLog: {
    table: pointsOf(VehicleStatLog),
    point(connection, draft, stamp) {
      const row = statRow(connection, draft, stamp)
      return { row, key: { ownerId: row.vehicleId, at: row.timestamp, series: row.type } }
    },
  },
}

/** Stores points of a series with what the provider sent; a point that is there already is written over. */
export async function storeSeries<Draft>(
  tx: Transaction,
  { table, point }: StoredSeries<Draft>,
  connection: Connection,
  schemaName: string,
  reads: readonly Read<Draft>[],
  stamp: Instant,
): Promise<void> {
  const points = reads.map(({ draft }) => point(connection, draft, stamp))
  await tx.upsert(
    table,
    points.map(({ row }) => row),
  )
  const { id: connectionId, applicationId, provider } = connection
  await tx.upsert(
    tableOf(RawPoint),
    points.map(({ key }, index) => ({
      ...key,
      applicationId,
      connectionId,
      provider,
      schemaName,
      extractedAt: stamp,
      data: reads[index]?.raw,
    })),
  )
}

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
