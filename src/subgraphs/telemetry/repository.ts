import { statTypes } from '../../domain/models/vehicle-stat-log.ts'
import type { Notifier } from '../../queue/notifier.ts'
import {
  pagesByCondition,
  pagesByParent,
  rowByColumn,
  rowById,
  rowsByColumn,
} from '../../storage/loaders/loaders.ts'
import { type Page, readPage, seriesLimits, pageRequestOf } from '../../storage/pagination/pagination.ts'
import { type ListQuery, shownIf } from '../../storage/pagination/list-query.ts'
import { type Table, tableOf } from '../../storage/sql/table.ts'
import { and, atLeast, atMost, tenantWhere, type Tenant, type Where } from '../../storage/sql/where.ts'
import { type ConnectionIds, narrowedTenant } from '../schema/connection-ids.ts'
import { idListFilter } from '../schema/id-arguments.ts'
import { type LatestDeps, createLatestLists } from '../on-demand/latest-lists.ts'
import type { PageArgs } from '../schema/page-types.ts'
import { RawRecord } from '../tables/raw-record.ts'
import { type RecordOwner, type VisibleReads } from '../tables/visible-reads.ts'
import type { RepositoryDeps } from '../schema/repository-deps.ts'
import type { LatestArgs, StatArgs, TrackArgs } from './list-args.ts'
import { LatestVehicleLocation, VehicleLocation } from './location.ts'
import { locationStream, type LocationStreamFilter } from './location-stream.ts'
import { rawPointLoader } from './raw-points.ts'
import type { VehiclesNearArgs } from './near/nearby-vehicle.ts'
import { readVehiclesNear } from './near/read-vehicles-near.ts'
import { VehicleStatLog } from './stat-log.ts'
import { LatestTrailerLocation } from './trailer-location.ts'
import { TripSpan } from './trip-span.ts'
import { readVehicleTrack, StoredPosition, type VehicleTrackArgs } from './vehicle-track.ts'

const latestLocations = tableOf(LatestVehicleLocation)
const trackPoints = tableOf(VehicleLocation)
const latestTrailerLocations = tableOf(LatestTrailerLocation)
const statLogs = tableOf(VehicleStatLog)
const storedPositions = tableOf(StoredPosition)

export interface TelemetryRepositoryDeps extends RepositoryDeps, LatestDeps {
  readonly db: RepositoryDeps['db']
  readonly notifier: Pick<Notifier, 'subscribe'>
}

/** Repository of the telemetry tables for one caller. All fields of this subgraph read the tables through it. */
export function telemetryRepository(deps: TelemetryRepositoryDeps, tenant: Tenant, visible: VisibleReads) {
  const { db, primary = db, cursorKey, notifier, clock } = deps
  const tracks = pagesByParent<VehicleLocation>(db, cursorKey, 'vehicleId')
  const positions = pagesByParent<StoredPosition>(db, cursorKey, 'vehicleId')
  const paths = pagesByCondition<VehicleLocation>(db, cursorKey)
  const stats = pagesByParent<VehicleStatLog>(db, cursorKey, 'vehicleId')
  const ofVisibleVehicles = visible.ownedBy('vehicleId')
  const tripSpans = rowById(db, tableOf(TripSpan), tenant, ofVisibleVehicles)
  const rawPoints = rawPointLoader(db, tenant)
  const latestByVehicle = rowByColumn(db, latestLocations, tenant, 'vehicleId', ofVisibleVehicles)
  // The rows lose hidden drivers here, not in the field `driver`: the field of a subscription runs for each location.
  const withoutHiddenDrivers = async <Row extends LatestVehicleLocation | VehicleLocation>(
    page: Promise<Page<Row>>,
  ): Promise<Page<Row>> => {
    const found = await page
    return { ...found, rows: await visible.withoutHiddenDrivers(found.rows) }
  }
  const latestOf = createLatestLists(deps, tenant)
  return {
    async latestOfVehicle(vehicleId: string): Promise<LatestVehicleLocation | null> {
      const row = await latestByVehicle.load(vehicleId)
      const [shown = null] = await visible.withoutHiddenDrivers(row ? [row] : [])
      return shown
    },
    latestOfTrailer: rowByColumn(db, latestTrailerLocations, tenant, 'trailerId'),
    /** Lists the latest locations. Throws if the caller has one connection and it is not connected. */
    async latestOfVehicles(args: LatestArgs, connectionIds: ConnectionIds) {
      const list = latestList(args, narrowedTenant(tenant, connectionIds))
      const owners: RecordOwner[] = args.driverIds == null ? ['vehicleId'] : ['vehicleId', 'driverId']
      return withoutHiddenDrivers(
        latestOf('LatestVehicleLocation', args, (database) =>
          visible.ownedBy(...owners)((condition) =>
            readPage(database, shownIf(list, condition), args, cursorKey),
          ),
        ),
      )
    },
    /** Lists the latest locations. Throws if the caller has one connection and it is not connected. */
    async latestOfTrailers(args: PageArgs, connectionIds: ConnectionIds) {
      const list: ListQuery<LatestTrailerLocation> = {
        table: latestTrailerLocations,
        where: tenantWhere(narrowedTenant(tenant, connectionIds)),
        order: ['trailerId'],
      }
      return latestOf('LatestTrailerLocation', args, (database) => readPage(database, list, args, cursorKey))
    },
    locationsOfVehicle: (vehicleId: string, args: TrackArgs) =>
      withoutHiddenDrivers(
        ofVisibleVehicles((condition) =>
          tracks(
            vehicleId,
            shownIf(trackList(trackPoints, within('locatedAt', args)), condition),
            pageRequestOf(args),
          ),
        ),
      ),
    /** Reads the track of the vehicle in a compact form. The first pages of several vehicles share a statement. */
    trackOfVehicle(vehicleId: string, args: VehicleTrackArgs) {
      const list = trackList(storedPositions, within('locatedAt', args))
      return readVehicleTrack(args, (request) =>
        ofVisibleVehicles((condition) => positions(vehicleId, shownIf(list, condition), request)),
      )
    },
    statsOfVehicle: (vehicleId: string, args: StatArgs) =>
      ofVisibleVehicles((condition) =>
        stats(vehicleId, shownIf(statList(args), condition), pageRequestOf(args)),
      ),
    /** Lists the points of the vehicle's track during a trip. Empty if the caller has no such trip. */
    async pathOfTrip(tripId: string, args: PageArgs) {
      const trip = await tripSpans.load(tripId)
      const where = trip ? duringTrip(trip) : NO_ROWS
      return withoutHiddenDrivers(
        paths({ key: tripId, where }, trackList(trackPoints, []), pageRequestOf(args)),
      )
    },
    vehiclesNear: (args: VehiclesNearArgs, connectionIds: ConnectionIds) =>
      readVehiclesNear(
        { db, cursorKey, clock, tenant: narrowedTenant(tenant, connectionIds), visible },
        args,
      ),
    raw: rowsByColumn(db, tableOf(RawRecord), tenant, 'ownerId'),
    rawOfPoint: (ownerId: string, at: number, series: string) => rawPoints.load({ ownerId, at, series }),
    changes: (filter: LocationStreamFilter) =>
      locationStream({ db: primary, cursorKey, notifier }, tenant, filter),
  }

  function latestList(
    { vehicleIds, driverIds }: LatestArgs,
    scope: Tenant,
  ): ListQuery<LatestVehicleLocation> {
    const where = and(
      tenantWhere(scope),
      idListFilter('vehicle', vehicleIds),
      idListFilter('driver', driverIds),
    )
    return { table: latestLocations, where, order: ['vehicleId'] }
  }

  function trackList<Row extends StoredPosition | VehicleLocation>(
    table: Table<Row>,
    conditions: readonly (Where | null)[],
  ): ListQuery<Row> {
    return {
      table,
      where: and(tenantWhere(tenant), ...conditions),
      order: ['locatedAt'],
      limits: seriesLimits,
    }
  }

  /** If only some types are requested, reads each from its own index range. Reads all types by the primary key. */
  function statList(args: StatArgs): ListQuery<VehicleStatLog> {
    const requested = new Set(args.types ?? statTypes)
    const someTypes = requested.size > 0 && requested.size < statTypes.length ? [...requested] : null
    return {
      table: statLogs,
      where: and(tenantWhere(tenant), ...within('timestamp', args), requested.size === 0 ? NO_ROWS : null),
      order: ['timestamp', 'type'],
      limits: seriesLimits,
      ...(someTypes
        ? { parts: { column: 'type', values: someTypes }, index: ['vehicleId', 'type', 'timestamp'] }
        : {}),
    }
  }
}

const within = (time: string, { startAt, endAt }: Pick<TrackArgs, 'startAt' | 'endAt'>): (Where | null)[] => [
  atLeast(time, startAt),
  atMost(time, endAt),
]

const duringTrip = ({ vehicleId, startedAt, endedAt }: TripSpan): Where => ({
  sql: '`vehicleId` = ? AND `locatedAt` >= ? AND `locatedAt` <= ?',
  parameters: [vehicleId, startedAt, endedAt],
})

const NO_ROWS: Where = { sql: '1 = 0', parameters: [] }

export type TelemetryRepository = ReturnType<typeof telemetryRepository>

export interface TelemetryContext {
  readonly telemetry: TelemetryRepository
}
