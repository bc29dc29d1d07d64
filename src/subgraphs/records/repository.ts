import { PublicError } from '../../domain/errors.ts'
import type { NormalizedCameraMediaFile } from '../../domain/models/camera-media.ts'
import {
  pagesByCondition,
  type Parent,
  parentBy,
  rowByColumn,
  rowById,
  rowsByColumn,
} from '../../storage/loaders/loaders.ts'
import { type Page, readPage, pageRequestOf } from '../../storage/pagination/pagination.ts'
import { type ListQuery, shownIf } from '../../storage/pagination/list-query.ts'
import { readWatermark } from '../../storage/in-flight-writes.ts'
import { tableOf, tableWithColumns } from '../../storage/sql/table.ts'
import {
  and,
  indexOf,
  tenantWhere,
  tenantColumnOf,
  type Tenant,
  type Where,
} from '../../storage/sql/where.ts'
import { type ConnectionIds, narrowedTenant } from '../schema/connection-ids.ts'
import { idListFilter } from '../schema/id-arguments.ts'
import { type EntityArgs, filtersByModified, unlessDeleted } from '../schema/list-args.ts'
import { withPublicErrors, type ProviderCallDeps, createProviderCalls } from '../on-demand/provider-calls.ts'
import { type LatestDeps, createLatestLists } from '../on-demand/latest-lists.ts'
import { RawRecord } from '../tables/raw-record.ts'
import type { RepositoryDeps } from '../schema/repository-deps.ts'
import type { ProviderRecord } from '../tables/provider-record.ts'
import type { RecordOwner, VisibleReads } from '../tables/visible-reads.ts'
import type { CameraMedia } from './safety/camera-media.ts'
import { FaultCodeEvent } from './fault-code-event.ts'
import {
  faultCodeConditions,
  type HosAvailableTimeArgs,
  hosDailyLogConditions,
  hosLogConditions,
  type RecordArgs,
  recordConditions,
  tripConditions,
} from './list-args.ts'
import { HosAvailableTime } from './hos/hos-available-time.ts'
import { HosDailyLog } from './hos/hos-daily-log.ts'
import { HosLog } from './hos/hos-log.ts'
import { SafetyEvent } from './safety/safety-event.ts'
import { aggregateRepository } from './totals/aggregates.ts'
import { Trip } from './trip.ts'

export type RecordRepositoryDeps = RepositoryDeps & ProviderCallDeps & LatestDeps

const availableTimes = tableOf(HosAvailableTime)
const eventSources = tableWithColumns(tableOf(SafetyEvent), [
  'id',
  'connectionId',
  'sourceId',
  'provider',
  'startedAt',
])

/** Repository of the record tables for one caller. All fields of this subgraph read the tables through it. */
export function recordRepository(deps: RecordRepositoryDeps, tenant: Tenant, visible: VisibleReads) {
  const { db, cursorKey } = deps
  const providerCalls = createProviderCalls(deps, tenant)
  const latestOf = createLatestLists(deps, tenant)
  const createList = <Row extends ProviderRecord, Args extends EntityArgs>(
    entity: abstract new () => Row,
    owner: RecordOwner,
    timeColumn: keyof Row & string,
    conditionsOf: (args: Args) => (Where | null)[],
  ) => {
    const table = tableOf(entity)
    const listOf = async (args: Args, scope: Tenant): Promise<ListQuery<Row>> => {
      const byModified = filtersByModified(args)
      return {
        table,
        where: and(tenantWhere(scope), unlessDeleted(args), ...conditionsOf(args)),
        order: byModified ? ['modifiedAt', 'id'] : [timeColumn, 'id'],
        // A write in flight can still add rows above the watermark. A caller that has read further would miss them.
        shown: byModified ? await readWatermark(db, scope) : null,
      }
    }
    const visiblePage = (
      list: ListQuery<Row>,
      owners: readonly RecordOwner[],
      read: (list: ListQuery<Row>) => Promise<Page<Row>>,
    ) => visible.ownedBy(...owners)((condition) => read(shownIf(list, condition)))
    const pages = pagesByCondition<Row>(db, cursorKey)
    /** Reads the page of a parent. Its condition selects records of these owners. */
    const pageWithin = async (parent: Parent, owners: readonly RecordOwner[], args: Args) =>
      visiblePage(await listOf(args, tenant), [...owners, ...selectedOwners(args)], (list) =>
        pages(parent, list, pageRequestOf(args)),
      )
    return {
      pageWithin,
      pageOf: (column: RecordOwner & keyof Row) => (id: string, args: Args) =>
        pageWithin(parentBy(column, id), [owner, column], args),
      page: async (args: Args, connectionIds: ConnectionIds) => {
        const scope = narrowedTenant(tenant, connectionIds)
        const list = await listOf(args, scope)
        const selected = selectedOwners(args)
        const index = selected.length > 0 ? undefined : indexOf(tenantColumnOf(scope), list.order)
        return visiblePage({ ...list, index }, [owner, ...selected], (list) =>
          readPage(db, list, args, cursorKey),
        )
      },
      byId: rowById(db, table, tenant, visible.ownedBy(owner)),
    }
  }
  const sourceOfEvent = rowById(db, eventSources, tenant, visible.ownedBy('vehicleId'))
  const trips = createList(Trip, 'vehicleId', 'startedAt', tripConditions)
  const safetyEvents = createList(SafetyEvent, 'vehicleId', 'startedAt', recordConditions)
  const hosLogs = createList(HosLog, 'driverId', 'startedAt', hosLogConditions)
  const hosDailyLogs = createList(HosDailyLog, 'driverId', 'date', hosDailyLogConditions)
  const faultCodeEvents = createList(FaultCodeEvent, 'vehicleId', 'observedAt', faultCodeConditions)
  return {
    trips,
    tripsOfVehicle: trips.pageOf('vehicleId'),
    tripsOfDriver: trips.pageOf('driverId'),
    safetyEvents,
    safetyEventsOfVehicle: safetyEvents.pageOf('vehicleId'),
    safetyEventsOfDriver: safetyEvents.pageOf('driverId'),
    safetyEventsOfTrip: (trip: Trip, args: RecordArgs) =>
      safetyEvents.pageWithin({ key: trip.id, where: startedDuring(trip) }, ['vehicleId'], args),
    hosLogs,
    hosLogsOfDriver: hosLogs.pageOf('driverId'),
    hosDailyLogs,
    hosDailyLogsOfDriver: hosDailyLogs.pageOf('driverId'),
    faultCodeEvents,
    faultCodeEventsOfVehicle: faultCodeEvents.pageOf('vehicleId'),
    ...aggregateRepository(deps, tenant, visible),
    /** Lists the stored or requested clocks. Throws if the caller has one connection and it is not connected. */
    async hosAvailableTimes(args: HosAvailableTimeArgs, connectionIds: ConnectionIds) {
      const scope = narrowedTenant(tenant, connectionIds)
      const where = and(tenantWhere(scope), idListFilter('driver', args.driverIds))
      const list: ListQuery<HosAvailableTime> = { table: availableTimes, where, order: ['driverId'] }
      return latestOf('HOSAvailableTime', args, (database) =>
        visible.ownedBy('driverId')((condition) =>
          readPage(database, shownIf(list, condition), args, cursorKey),
        ),
      )
    },
    availableTimeOfDriver: rowByColumn(db, availableTimes, tenant, 'driverId', visible.ownedBy('driverId')),
    cameraMedia,
    raw: rowsByColumn(db, tableOf(RawRecord), tenant, 'ownerId'),
  }

  /** Requests the videos of a safety event from its provider. Null if the caller has no such event. */
  async function cameraMedia(safetyEventId: string): Promise<CameraMedia | null> {
    const event = await sourceOfEvent.load(safetyEventId)
    if (!event) return null
    const { connectionId, sourceId: eventSourceId, provider, startedAt } = event
    const { adapter, api } = await providerCalls.connection(connectionId)
    if (!adapter.cameraMedia) throw new PublicError('not_implemented', 'This provider has no camera media.')
    const { raw, files } = await withPublicErrors(adapter.cameraMedia(api, eventSourceId, startedAt))
    const mediaFile = (facing: 'front' | 'rear', media: NormalizedCameraMediaFile | null) =>
      media && {
        sourceId: media.sourceId,
        videoUrl: deps.mediaUrl({ connectionId, eventSourceId, startedAt, facing }),
      }
    return {
      frontFacing: mediaFile('front', files.frontFacing),
      rearFacing: mediaFile('rear', files.rearFacing),
      raw: [{ provider, schemaName: 'camera_media', extractedAt: deps.clock.now(), data: raw } as never],
    }
  }
}

/** Selects the records of the trip's vehicle that started during the trip. Its end can be the start of the next trip. */
const startedDuring = ({ vehicleId, startedAt, endedAt }: Trip): Where => ({
  sql: '`vehicleId` = ? AND `startedAt` >= ? AND `startedAt` < ?',
  parameters: [vehicleId, startedAt, endedAt],
})

/** Returns the columns of the vehicles and drivers that the arguments select. With any, the database chooses the index. */
const selectedOwners = (args: EntityArgs): RecordOwner[] => {
  const { vehicleIds, driverIds } = args as EntityArgs & { vehicleIds?: unknown; driverIds?: unknown }
  const owners = { vehicleId: vehicleIds, driverId: driverIds }
  return (['vehicleId', 'driverId'] as const).filter((owner) => owners[owner] != null)
}

export type RecordRepository = ReturnType<typeof recordRepository>

export interface RecordsContext {
  readonly records: RecordRepository
}
