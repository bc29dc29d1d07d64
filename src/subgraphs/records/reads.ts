import { pagesByParent, rowById, rowsByColumn } from '../../storage/loaders.ts'
import { type List, type PageRequest, readPage } from '../../storage/page.ts'
import { type Table, tableOf } from '../../storage/table.ts'
import { and, mine, type Tenant } from '../../storage/where.ts'
import { asksByModified } from '../filters.ts'
import { RawRecord } from '../raw-record.ts'
import type { ReadsFrom } from '../reads.ts'
import { conditionsOf, type RecordArgs } from './filters.ts'
import { SafetyEvent } from './safety-event.ts'
import { Trip } from './trip.ts'

type RecordRow = Trip | SafetyEvent

/** The only door to the records' tables for the fields of this subgraph, bound to one caller. */
export function recordReads({ db, cursorKey }: ReadsFrom, tenant: Tenant) {
  const listOf = <Row extends RecordRow>(table: Table<Row>, args: RecordArgs): List<Row> => ({
    table,
    where: and(mine(tenant), { sql: '`deletedAt` IS NULL', parameters: [] }, ...conditionsOf(args)),
    order: asksByModified(args) ? ['modifiedAt', 'id'] : ['startedAt', 'id'],
  })
  const listed = <Row extends RecordRow>(table: Table<Row>) => {
    const byVehicle = pagesByParent<Row>(db, cursorKey, 'vehicleId')
    const byDriver = pagesByParent<Row>(db, cursorKey, 'driverId')
    return {
      page: (args: RecordArgs) => readPage(db, listOf(table, args), args, cursorKey),
      pageOfVehicle: (id: string, args: RecordArgs) => byVehicle(id, listOf(table, args), requestOf(args)),
      pageOfDriver: (id: string, args: RecordArgs) => byDriver(id, listOf(table, args), requestOf(args)),
      byId: rowById(db, table, tenant),
    }
  }
  return {
    trips: listed(tableOf(Trip)),
    safetyEvents: listed(tableOf(SafetyEvent)),
    raw: rowsByColumn(db, tableOf(RawRecord), tenant, 'ownerId'),
  }
}

const requestOf = ({ first, after, last, before }: PageRequest): PageRequest => ({
  first,
  after,
  last,
  before,
})

export type RecordReads = ReturnType<typeof recordReads>

export interface RecordsContext {
  readonly records: RecordReads
}
