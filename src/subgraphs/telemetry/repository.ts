import { statTypes } from '../../domain/models/vehicle-stat-log.ts'
import type { Notifier } from '../../queue/notifier.ts'
import {
  pagesByCondition,
  pagesByParent,
  rowByColumn,
  rowById,
  rowsByColumn,
} from '../../storage/loaders/loaders.ts'
import { readPage, seriesLimits, pageRequestOf } from '../../storage/pagination/pagination.ts'
import type { ListQuery } from '../../storage/pagination/list-query.ts'
import { tableOf } from '../../storage/sql/table.ts'
import { and, atLeast, atMost, tenantWhere, oneOf, type Tenant, type Where } from '../../storage/sql/where.ts'
import { idListFilter } from '../schema/id-list-filter.ts'
import { type LatestDeps, createLatestLists } from '../on-demand/latest-fallback.ts'
import type { PageArgs } from '../schema/page-types.ts'
import { RawRecord } from '../tables/raw-record.ts'
import type { RepositoryDeps } from '../schema/repository-deps.ts'
import { notifiedStream } from '../streams/notified-stream.ts'
import type { LatestArgs, StatArgs, TrackArgs } from './list-args.ts'
import { LatestVehicleLocation, VehicleLocation } from './location.ts'
import { rawPointLoader } from './raw-points.ts'
import { VehicleStatLog } from './stat-log.ts'
import { locationsTopic } from './topics.ts'
import { LatestTrailerLocation } from './trailer-location.ts'
import { TripSpan } from './trip-span.ts'

const latest = tableOf(LatestVehicleLocation)
const track = tableOf(VehicleLocation)
const trailers = tableOf(LatestTrailerLocation)
const statLogs = tableOf(VehicleStatLog)

export interface TelemetryRepositoryDeps extends RepositoryDeps, LatestDeps {
  readonly db: RepositoryDeps['db']
  readonly notifier: Pick<Notifier, 'subscribe'>
}

/** Transactions of different connections may commit out of the order of their stamps, by at most this time. */
const OVERLAP_MS = 5000

/** Repository of the telemetry tables for one caller. All fields of this subgraph read them through it. */
export function telemetryRepository(deps: TelemetryRepositoryDeps, tenant: Tenant) {
  const { db, primary = db, cursorKey, notifier } = deps
  const tracks = pagesByParent<VehicleLocation>(db, cursorKey, 'vehicleId')
  const paths = pagesByCondition<VehicleLocation>(db, cursorKey)
  const stats = pagesByParent<VehicleStatLog>(db, cursorKey, 'vehicleId')
  const span = rowById(db, tableOf(TripSpan), tenant)
  const rawPoints = rawPointLoader(db, tenant)
  const latestOf = createLatestLists(deps, tenant)
  return {
    latestOfVehicle: rowByColumn(db, latest, tenant, 'vehicleId'),
    latestOfTrailer: rowByColumn(db, trailers, tenant, 'trailerId'),
    /** Latest vehicle locations. Throws if the only connection of the caller is not connected. */
    async latest(args: LatestArgs) {
      const list = latestList(args)
      return latestOf('LatestVehicleLocation', args, (at) => readPage(at, list, args, cursorKey))
    },
    /** Latest trailer locations. Throws if the only connection of the caller is not connected. */
    async latestOfTrailers(args: PageArgs) {
      const list: ListQuery<LatestTrailerLocation> = {
        table: trailers,
        where: tenantWhere(tenant),
        order: ['trailerId'],
      }
      return latestOf('LatestTrailerLocation', args, (at) => readPage(at, list, args, cursorKey))
    },
    trackOfVehicle: (vehicleId: string, args: TrackArgs) =>
      tracks(vehicleId, trackList(within('locatedAt', args)), pageRequestOf(args)),
    statsOfVehicle: (vehicleId: string, args: StatArgs) =>
      stats(vehicleId, statList(args), pageRequestOf(args)),
    /** Track of the vehicle during a trip. Empty if the caller has no such trip. */
    async pathOfTrip(tripId: string, args: PageArgs) {
      const trip = await span.load(tripId)
      const where = trip ? spanOf(trip) : NOTHING
      return paths({ key: tripId, where }, trackList([]), pageRequestOf(args))
    },
    raw: rowsByColumn(db, tableOf(RawRecord), tenant, 'ownerId'),
    rawOfPoint: (ownerId: string, at: number, series: string) => rawPoints.load({ ownerId, at, series }),
    /** Streams the locations that are stored from now on, only the newest of each vehicle. */
    changes(vehicleIds: readonly string[] | null): AsyncIterableIterator<LatestVehicleLocation> {
      const where = and(tenantWhere(tenant), oneOf('vehicleId', vehicleIds))
      const delivered = new Map<string, number>()
      let since: number | null = null
      return notifiedStream(
        (listener) => notifier.subscribe(locationsTopic(tenant.applicationId), listener),
        async () => {
          if (since === null) {
            since = await newest(where)
            for (const row of await storedAfter(where, since)) delivered.set(row.vehicleId, row.modifiedAt)
            return []
          }
          const rows = await storedAfter(where, since)
          const fresh = rows.filter((row) => delivered.get(row.vehicleId) !== row.modifiedAt)
          for (const row of fresh) delivered.set(row.vehicleId, row.modifiedAt)
          since = Math.max(since, ...fresh.map((row) => row.modifiedAt))
          return fresh
        },
      )
    },
  }

  async function newest(where: Where): Promise<number> {
    const sql = `SELECT MAX(\`modifiedAt\`) AS newest FROM \`${latest.name}\` WHERE ${where.sql}`
    const [row] = await primary.rows<{ newest: number | null }>(sql, where.parameters)
    return Number(row?.newest ?? 0)
  }

  async function storedAfter(within: Where, since: number): Promise<LatestVehicleLocation[]> {
    const where = and(within, atLeast('modifiedAt', since - OVERLAP_MS))
    const sql = `SELECT ${latest.selected} FROM \`${latest.name}\` WHERE ${where.sql} ORDER BY \`modifiedAt\``
    const rows = await primary.rows<Record<string, unknown>>(sql, where.parameters)
    return rows.map((row) => latest.toRow(row))
  }

  function latestList({ vehicleIds, driverIds }: LatestArgs): ListQuery<LatestVehicleLocation> {
    const where = and(
      tenantWhere(tenant),
      idListFilter('vehicleId', vehicleIds, 'vehicleIds'),
      idListFilter('driverId', driverIds, 'driverIds'),
    )
    return { table: latest, where, order: ['vehicleId'] }
  }

  function trackList(conditions: readonly (Where | null)[]): ListQuery<VehicleLocation> {
    return {
      table: track,
      where: and(tenantWhere(tenant), ...conditions),
      order: ['locatedAt'],
      limits: seriesLimits,
    }
  }

  /** Reads some types from one index range per type. All types together are read by the primary key. */
  function statList(args: StatArgs): ListQuery<VehicleStatLog> {
    const requested = new Set(args.types ?? statTypes)
    const types = requested.size > 0 && requested.size < statTypes.length ? [...requested] : null
    return {
      table: statLogs,
      where: and(tenantWhere(tenant), ...within('timestamp', args), requested.size === 0 ? NOTHING : null),
      order: ['timestamp', 'type'],
      limits: seriesLimits,
      ...(types
        ? { parts: { column: 'type', values: types }, index: ['vehicleId', 'type', 'timestamp'] }
        : {}),
    }
  }
}

const within = (time: string, { startAt, endAt }: TrackArgs): (Where | null)[] => [
  atLeast(time, startAt),
  atMost(time, endAt),
]

const spanOf = ({ vehicleId, startedAt, endedAt }: TripSpan): Where => ({
  sql: '`vehicleId` = ? AND `locatedAt` >= ? AND `locatedAt` <= ?',
  parameters: [vehicleId, startedAt, endedAt],
})

const NOTHING: Where = { sql: '1 = 0', parameters: [] }

export type TelemetryRepository = ReturnType<typeof telemetryRepository>

export interface TelemetryContext {
  readonly telemetry: TelemetryRepository
}
