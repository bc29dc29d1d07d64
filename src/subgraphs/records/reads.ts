import { PublicError } from '../../errors.ts'
import type { CameraMediaFileDraft } from '../../providers/drafts.ts'
import { pagesByParent, rowByColumn, rowById, rowsByColumn } from '../../storage/loaders.ts'
import { type List, readPage, requestOf } from '../../storage/page.ts'
import { settledBound } from '../../storage/open-writes.ts'
import { tableOf } from '../../storage/table.ts'
import { and, equal, indexOf, mine, ownerOf, type Tenant, type Where } from '../../storage/where.ts'
import { fewOf } from '../few-of.ts'
import { asksByModified, type ModifiedArgs } from '../filters.ts'
import { asked, type LiveFrom, liveReads } from '../live.ts'
import { type LatestFrom, latestLists } from '../live-latest.ts'
import { RawRecord } from '../raw-record.ts'
import type { ReadsFrom } from '../reads.ts'
import type { Sourced } from '../sourced.ts'
import type { CameraMedia } from './camera-media.ts'
import { FaultCodeEvent } from './fault-code-event.ts'
import {
  faultCodeConditions,
  type HosAvailableTimeArgs,
  hosDailyLogConditions,
  hosLogConditions,
  recordConditions,
  tripConditions,
} from './filters.ts'
import { HosAvailableTime } from './hos-available-time.ts'
import { HosDailyLog } from './hos-daily-log.ts'
import { HosLog } from './hos-log.ts'
import { SafetyEvent } from './safety-event.ts'
import { sumReads } from './sums.ts'
import { Trip } from './trip.ts'

export type RecordReadsFrom = ReadsFrom & LiveFrom & LatestFrom

const available = tableOf(HosAvailableTime)

/** The only door to the records' tables for the fields of this subgraph, bound to one caller. */
export function recordReads(from: RecordReadsFrom, tenant: Tenant) {
  const { db, cursorKey } = from
  const live = liveReads(from, tenant)
  const latestOf = latestLists(from, tenant)
  const listed = <Row extends Sourced, Args extends ModifiedArgs>(
    entity: abstract new () => Row,
    time: keyof Row & string,
    conditionsOf: (args: Args) => (Where | null)[],
  ) => {
    const table = tableOf(entity)
    const listOf = async (args: Args): Promise<List<Row>> => {
      const byModified = asksByModified(args)
      return {
        table,
        where: and(mine(tenant), { sql: '`deletedAt` IS NULL', parameters: [] }, ...conditionsOf(args)),
        order: byModified ? ['modifiedAt', 'id'] : [time, 'id'],
        shown: byModified ? await settledBound(db, tenant) : null,
      }
    }
    const pageOf = (owner: keyof Row & string) => {
      const pages = pagesByParent<Row>(db, cursorKey, owner)
      return async (id: string, args: Args) => pages(id, await listOf(args), requestOf(args))
    }
    return {
      page: async (args: Args) => {
        const list = await listOf(args)
        const index = namesOwners(args) ? undefined : indexOf(ownerOf(tenant), list.order)
        return readPage(db, { ...list, index }, args, cursorKey)
      },
      pageOf,
      byId: rowById(db, table, tenant),
    }
  }
  const trips = listed(Trip, 'startedAt', tripConditions)
  const safetyEvents = listed(SafetyEvent, 'startedAt', recordConditions)
  const hosLogs = listed(HosLog, 'startedAt', hosLogConditions)
  const hosDailyLogs = listed(HosDailyLog, 'date', hosDailyLogConditions)
  const faultCodeEvents = listed(FaultCodeEvent, 'observedAt', faultCodeConditions)
  return {
    trips,
    tripsOfVehicle: trips.pageOf('vehicleId'),
    tripsOfDriver: trips.pageOf('driverId'),
    safetyEvents,
    safetyEventsOfVehicle: safetyEvents.pageOf('vehicleId'),
    safetyEventsOfDriver: safetyEvents.pageOf('driverId'),
    hosLogs,
    hosLogsOfDriver: hosLogs.pageOf('driverId'),
    hosDailyLogs,
    hosDailyLogsOfDriver: hosDailyLogs.pageOf('driverId'),
    faultCodeEvents,
    faultCodeEventsOfVehicle: faultCodeEvents.pageOf('vehicleId'),
    ...sumReads(from, tenant),
    /** Refused where the caller's one connection cannot be asked now (decision 8). */
    async hosAvailableTimes(args: HosAvailableTimeArgs) {
      const where = and(mine(tenant), fewOf('driverId', args.driverIds, 'driverIds'))
      const list: List<HosAvailableTime> = { table: available, where, order: ['driverId'] }
      return latestOf('HOSAvailableTime', args, (at) => readPage(at, list, args, cursorKey))
    },
    availableTimeOfDriver: rowByColumn(db, available, tenant, 'driverId'),
    cameraMedia,
    raw: rowsByColumn(db, tableOf(RawRecord), tenant, 'ownerId'),
  }

  /** The films of a safety event, asked of its provider; null where the caller has no such event. */
  async function cameraMedia(safetyEventId: string): Promise<CameraMedia | null> {
    const where = and(mine(tenant), equal('id', safetyEventId))
    const [event] = await db.rows<Pick<SafetyEvent, 'connectionId' | 'sourceId' | 'provider' | 'startedAt'>>(
      `SELECT \`connectionId\`, \`sourceId\`, \`provider\`, \`startedAt\` FROM \`safety_events\` WHERE ${where.sql}`,
      where.parameters,
    )
    if (!event) return null
    const { connectionId, sourceId: eventSourceId, provider } = event
    const startedAt = Number(event.startedAt)
    const { adapter, api } = await live.connection(connectionId)
    if (!adapter.cameraMedia) throw new PublicError('not_implemented', 'This provider has no films.')
    const { raw, draft } = await asked(adapter.cameraMedia(api, eventSourceId, startedAt))
    const file = (facing: 'front' | 'rear', film: CameraMediaFileDraft | null) =>
      film && {
        sourceId: film.sourceId,
        videoUrl: from.mediaUrl({ connectionId, eventSourceId, startedAt, facing }),
      }
    return {
      frontFacing: file('front', draft.frontFacing),
      rearFacing: file('rear', draft.rearFacing),
      raw: [{ provider, schemaName: 'camera_media', extractedAt: from.clock.now(), data: raw } as never],
    }
  }
}

/** The records of a few vehicles or drivers are found by them: the database chooses how. */
const namesOwners = (args: ModifiedArgs): boolean => {
  const { vehicleIds, driverIds } = args as ModifiedArgs & { vehicleIds?: unknown; driverIds?: unknown }
  return vehicleIds != null || driverIds != null
}

export type RecordReads = ReturnType<typeof recordReads>

export interface RecordsContext {
  readonly records: RecordReads
}
