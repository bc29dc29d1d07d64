import { type LatestModel, nodes } from '../models.ts'
import type {
  HosAvailableTimeDraft,
  LatestDrafts,
  LatestLocationDraft,
  TrailerLocationDraft,
} from '../providers/drafts.ts'
import { derivedId } from '../ids.ts'
import type { Rows, Transaction } from '../storage/database.ts'
import { placeholders } from '../storage/in-order.ts'
import { type Table, tableOf } from '../storage/table.ts'
import type { Connection } from '../subgraphs/connections/connection.ts'
import { latestOf, RawRecord } from '../subgraphs/raw-record.ts'
import { HosAvailableTime } from '../subgraphs/records/hos-available-time.ts'
import { type EngineState, LatestVehicleLocation } from '../subgraphs/telemetry/location.ts'
import { LatestTrailerLocation } from '../subgraphs/telemetry/trailer-location.ts'
import type { Instant } from '../time.ts'
import type { Read } from './read.ts'
import { locationRow, storedSeries, storeSeries } from './series.ts'

export type Row = Readonly<Record<string, unknown>>

const statesOf = <Row extends object>(entity: abstract new () => Row) =>
  tableOf(entity) as unknown as Table<object>

type OwnerKind = 'vehicle' | 'trailer' | 'driver'

const ownedBy = (kind: OwnerKind) => ({ kind, owner: `${kind}Id`, owners: nodes[kind].table }) as const

export interface StoredLatest<Draft> {
  readonly table: Table<object>
  /** Whose state it is, its column and where that one is kept. */
  readonly kind: OwnerKind
  readonly owner: `${OwnerKind}Id`
  readonly owners: (typeof nodes)[OwnerKind]['table']
  row(connection: Connection, draft: Draft, stamp: Instant): Row
  /** What is told beside a place, and changes without it. */
  readonly beside: readonly string[]
  /** What is known once this was read at a moment besides; null where it says nothing more. */
  news(row: Row, known: Row, at: Instant): Row | null
  /** What is also a point of a series. */
  readonly series?: typeof storedSeries.VehicleLocation
}

const timeOf = (row: Row): number => Number(row['locatedAt'])

/** No clock of a tracker is so far ahead of ours: a place of such a time would stand until then. */
const MOST_AHEAD_MS = 86_400_000

/** An engine is stopped, or a tank filled, where the vehicle stands: a place is told again with what is beside it. */
function later(beside: readonly string[]): Pick<StoredLatest<unknown>, 'beside' | 'news'> {
  const isTold = (row: Row, known: Row) =>
    beside.some((name) => row[name] != null && row[name] !== known[name])
  return {
    beside,
    news(row, known, at) {
      const [of, before] = [timeOf(row), timeOf(known)]
      const isAhead = (time: number) => time > at + MOST_AHEAD_MS
      if (isAhead(of) !== isAhead(before)) return isAhead(before) ? row : null
      if (of !== before) return of > before ? row : null
      return isTold(row, known) ? withKept({ beside }, row, known) : null
    },
  }
}

/** A state, and what was told beside the same place before and is not told this time. */
export function withKept({ beside }: Pick<StoredLatest<never>, 'beside'>, row: Row, known: Row): Row {
  if (timeOf(row) !== timeOf(known)) return row
  return { ...row, ...Object.fromEntries(beside.map((name) => [name, row[name] ?? known[name] ?? null])) }
}

/** The states that are only of now, and how each is stored. */
export const storedLatest: { readonly [M in LatestModel]: StoredLatest<LatestDrafts[M]> } = {
  LatestVehicleLocation: {
    table: statesOf(LatestVehicleLocation),
    ...ownedBy('vehicle'),
    row: vehicleRow,
    ...later([
      'engineState',
      'engineRuntime',
      'odometer',
      'fuelPrimaryPercentage',
      'fuelSecondaryPercentage',
      'driverId',
    ]),
    series: storedSeries.VehicleLocation,
  },
  LatestTrailerLocation: {
    table: statesOf(LatestTrailerLocation),
    ...ownedBy('trailer'),
    row: trailerRow,
    ...later([]),
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

interface News {
  readonly count: number
  /** Those of another place or moment than before. */
  readonly elsewhere: readonly Row[]
}

/** Stores states of now, with what the provider sent; what is no news is left alone. Gives what was. */
export async function storeLatest<Draft>(
  tx: Transaction,
  stored: StoredLatest<Draft>,
  connection: Connection,
  schemaName: string,
  reads: readonly Read<Draft>[],
  stamp: Instant,
): Promise<News> {
  const { table, owner } = stored
  const all = reads.map((read) => ({ read, row: stored.row(connection, read.draft, stamp) }))
  const known = await knownStates(
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
  const elsewhere = news.filter(({ isElsewhere }) => isElsewhere)
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
    const points = elsewhere.map(({ read }) => read as unknown as Read<LatestLocationDraft>)
    await storeSeries(tx, stored.series, connection, schemaName, points, stamp)
  }
  return { count: news.length, elsewhere: elsewhere.map(({ row }) => row) }
}

/** The states that are known, by whose they are. */
export async function knownStates<Draft>(
  db: Rows,
  { table, owner }: StoredLatest<Draft>,
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

function vehicleRow(connection: Connection, draft: LatestLocationDraft, stamp: Instant): Row {
  return {
    ...locationRow(connection, draft, stamp),
    odometer: draft.odometerKilometers,
    fuelPrimaryPercentage: draft.fuelPrimaryPercentage,
    fuelSecondaryPercentage: draft.fuelSecondaryPercentage,
    engineState: draft.engineState as EngineState | null,
    engineRuntime: draft.engineRuntimeMilliseconds,
  }
}

function trailerRow(connection: Connection, draft: TrailerLocationDraft, stamp: Instant): Row {
  return {
    trailerId: derivedId('trailer', connection.id, draft.trailerSourceId),
    applicationId: connection.applicationId,
    connectionId: connection.id,
    provider: connection.provider,
    locatedAt: draft.locatedAt,
    longitude: draft.location.longitude,
    latitude: draft.location.latitude,
    addressText: draft.address,
    heading: draft.headingDegrees,
    speed: draft.speedKph,
    modifiedAt: stamp,
  }
}

function clockRow(connection: Connection, draft: HosAvailableTimeDraft, stamp: Instant): Row {
  return {
    driverId: derivedId('driver', connection.id, draft.driverSourceId),
    applicationId: connection.applicationId,
    connectionId: connection.id,
    provider: connection.provider,
    currentStatus: draft.currentStatus,
    cycle: draft.cycleMilliseconds,
    shift: draft.shiftMilliseconds,
    drive: draft.driveMilliseconds,
    break: draft.breakMilliseconds,
    modifiedAt: stamp,
  }
}
