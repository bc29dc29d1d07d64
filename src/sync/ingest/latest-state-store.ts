import { type LatestModel, nodes } from '../../domain/record-models.ts'
import type {
  NormalizedHosAvailableTime,
  NormalizedLatestRecords,
  NormalizedLatestLocation,
  NormalizedTrailerLocation,
} from '../../providers/normalized-records.ts'
import { derivedId } from '../../domain/ids.ts'
import type { Rows, Transaction } from '../../storage/database.ts'
import { placeholders } from '../../storage/loaders/order-by-keys.ts'
import { type Table, tableOf } from '../../storage/sql/table.ts'
import type { Connection } from '../../subgraphs/connections/connection.ts'
import { latestOf, RawRecord } from '../../subgraphs/tables/raw-record.ts'
import { HosAvailableTime } from '../../subgraphs/records/hos/hos-available-time.ts'
import { type EngineState, LatestVehicleLocation } from '../../subgraphs/telemetry/location.ts'
import { LatestTrailerLocation } from '../../subgraphs/telemetry/trailer-location.ts'
import type { Instant } from '../../domain/time.ts'
import type { ParsedRecord } from './parse-page.ts'
import { locationRow, timeSeriesStores, storeTimeSeries } from './time-series-store.ts'

export type Row = Readonly<Record<string, unknown>>

const statesOf = <Row extends object>(entity: abstract new () => Row) =>
  tableOf(entity) as unknown as Table<object>

type OwnerKind = 'vehicle' | 'trailer' | 'driver'

const ownedBy = (kind: OwnerKind) => ({ kind, owner: `${kind}Id`, owners: nodes[kind].table }) as const

export interface LatestStateStore<Draft> {
  readonly table: Table<object>
  /** Whose state it is, its column and where that one is kept. */
  readonly kind: OwnerKind
  readonly owner: `${OwnerKind}Id`
  readonly owners: (typeof nodes)[OwnerKind]['table']
  row(connection: Connection, normalized: Draft, stamp: Instant): Row
  /** What is told beside a place, and changes without it. */
  readonly beside: readonly string[]
  /** What is known once this was read at a moment besides; null where it says nothing more. */
  news(row: Row, known: Row, at: Instant): Row | null
  /** What is also a point of a series. */
  readonly series?: typeof timeSeriesStores.VehicleLocation
}

const timeOf = (row: Row): number => Number(row['locatedAt'])

/** No clock of a tracker is so far ahead of ours: a place of such a time would stand until then. */
const MAX_AHEAD_MS = 86_400_000

/** An engine is stopped, or a tank filled, where the vehicle stands: a place is told again with what is beside it. */
function isNewer(beside: readonly string[]): Pick<LatestStateStore<unknown>, 'beside' | 'news'> {
  const isTold = (row: Row, known: Row) =>
    beside.some((name) => row[name] != null && row[name] !== known[name])
  return {
    beside,
    news(row, known, at) {
      const [of, before] = [timeOf(row), timeOf(known)]
      const isAhead = (time: number) => time > at + MAX_AHEAD_MS
      if (isAhead(of) !== isAhead(before)) return isAhead(before) ? row : null
      if (of !== before) return of > before ? row : null
      return isTold(row, known) ? mergeWithKnown({ beside }, row, known) : null
    },
  }
}

/** A state, and what was told beside the same place before and is not told this time. */
export function mergeWithKnown(
  { beside }: Pick<LatestStateStore<never>, 'beside'>,
  row: Row,
  known: Row,
): Row {
  if (timeOf(row) !== timeOf(known)) return row
  return { ...row, ...Object.fromEntries(beside.map((name) => [name, row[name] ?? known[name] ?? null])) }
}

/** The states that are only of now, and how each is stored. */
export const latestStateStores: {
  readonly [M in LatestModel]: LatestStateStore<NormalizedLatestRecords[M]>
} = {
  LatestVehicleLocation: {
    table: statesOf(LatestVehicleLocation),
    ...ownedBy('vehicle'),
    row: vehicleRow,
    ...isNewer([
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
    table: statesOf(LatestTrailerLocation),
    ...ownedBy('trailer'),
    row: trailerRow,
    ...isNewer([]),
  },
  HOSAvailableTime: {
    table: statesOf(HosAvailableTime),
    ...ownedBy('driver'),
    row: clockRow,
    beside: [],
    news: (row, known) =>
      ['currentStatus', 'cycle', 'shift', 'drive', 'break'].some((name) => row[name] !== known[name])
        ? row
        : null,
  },
}

interface LatestStateChanges {
  readonly count: number
  /** Those of another place or moment than before. */
  readonly elsewhere: readonly Row[]
}

/** Stores states of now, with what the provider sent; what is no news is left alone. Gives what was. */
export async function storeLatestStates<Draft>(
  tx: Transaction,
  stored: LatestStateStore<Draft>,
  connection: Connection,
  schemaName: string,
  parsed: readonly ParsedRecord<Draft>[],
  stamp: Instant,
): Promise<LatestStateChanges> {
  const { table, owner } = stored
  const all = parsed.map((read) => ({ read, row: stored.row(connection, read.normalized, stamp) }))
  const known = await findKnownStates(
    tx,
    stored,
    connection.id,
    all.map(({ row }) => String(row[owner])),
  )
  const news = all.flatMap(({ read, row }) => {
    const before = known.get(String(row[owner]))
    const now = before ? stored.news(row, before, stamp) : row
    return now ? [{ read, row: now, isElsewhere: !before || timeOf(row) !== timeOf(before) }] : []
  })
  const remoteSubgraphs = news.filter(({ isElsewhere }) => isElsewhere)
  await tx.upsert(
    table,
    news.map(({ row }) => row),
  )
  const { id: connectionId, applicationId, provider } = connection
  await tx.upsert(
    tableOf(RawRecord),
    news.map(({ row, read }) => ({
      ownerId: latestOf(String(row[owner])),
      applicationId,
      connectionId,
      provider,
      schemaName,
      extractedAt: stamp,
      data: read.raw,
    })),
  )
  if (stored.series) {
    const points = remoteSubgraphs.map(
      ({ read }) => read as unknown as ParsedRecord<NormalizedLatestLocation>,
    )
    await storeTimeSeries(tx, stored.series, connection, schemaName, points, stamp)
  }
  return { count: news.length, elsewhere: remoteSubgraphs.map(({ row }) => row) }
}

/** The states that are known, by whose they are. */
export async function findKnownStates<Draft>(
  db: Rows,
  { table, owner }: LatestStateStore<Draft>,
  connectionId: string,
  ids: readonly string[],
): Promise<Map<string, Row>> {
  if (ids.length === 0) return new Map()
  const rows = await db.rows<Row>(
    `SELECT ${table.selected} FROM \`${table.name}\` WHERE \`connectionId\` = ? AND \`${owner}\` IN (${placeholders(ids.length)})`,
    [connectionId, ...ids],
  )
  return new Map(rows.map((row) => [String(row[owner]), row]))
}

function vehicleRow(connection: Connection, normalized: NormalizedLatestLocation, stamp: Instant): Row {
  return {
    ...locationRow(connection, normalized, stamp),
    odometer: normalized.odometerKilometers,
    fuelPrimaryPercentage: normalized.fuelPrimaryPercentage,
    fuelSecondaryPercentage: normalized.fuelSecondaryPercentage,
    engineState: normalized.engineState as EngineState | null,
    engineRuntime: normalized.engineRuntimeMilliseconds,
  }
}

function trailerRow(connection: Connection, normalized: NormalizedTrailerLocation, stamp: Instant): Row {
  return {
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
