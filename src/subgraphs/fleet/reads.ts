import { pagesByParent, rowById, rowsByColumn } from '../../storage/loaders.ts'
import { type List, type PageRequest, readPage } from '../../storage/page.ts'
import { only, type Table, tableOf } from '../../storage/table.ts'
import { and, mine, type Tenant } from '../../storage/where.ts'
import { asksByModified, type EntityArgs, modifiedWithin, unlessDeleted } from '../filters.ts'
import { RawRecord } from '../raw-record.ts'
import type { ReadsFrom } from '../reads.ts'
import type { Sourced } from '../sourced.ts'
import { Device } from './device.ts'
import { Driver } from './driver.ts'
import { Group } from './group.ts'
import { Vehicle } from './vehicle.ts'

const vehicles = tableOf(Vehicle)
const drivers = tableOf(Driver)
const groups = tableOf(Group)
const devices = tableOf(Device)

/** The only door to the fleet's tables for the fields of this subgraph, bound to one caller. */
export function fleetReads({ db, cursorKey }: ReadsFrom, tenant: Tenant) {
  const listOf = <Row extends Sourced>(table: Table<Row>, args: EntityArgs): List<Row> => ({
    table,
    where: and(mine(tenant), unlessDeleted(args), ...modifiedWithin(args)),
    order: asksByModified(args) ? ['modifiedAt', 'id'] : ['id'],
  })
  const listed = <Row extends Sourced>(table: Table<Row>) => {
    const byConnection = pagesByParent<Row>(db, cursorKey, 'connectionId')
    return {
      page: (args: EntityArgs) => readPage(db, listOf(table, args), args, cursorKey),
      pageOfConnection: (connectionId: string, args: EntityArgs) =>
        byConnection(connectionId, listOf(table, args), requestOf(args)),
      byId: rowById(db, table, tenant),
    }
  }
  return {
    vehicles: listed(vehicles),
    drivers: listed(drivers),
    groups: listed(groups),
    devices: listed(devices),
    devicesOfVehicle: rowsByColumn(db, devices, tenant, 'vehicleId'),
    deviceIdsOfVehicle: rowsByColumn(db, only(devices, ['id', 'vehicleId']), tenant, 'vehicleId'),
    raw: rowsByColumn(db, tableOf(RawRecord), tenant, 'ownerId'),
  }
}

const requestOf = ({ first, after, last, before }: PageRequest): PageRequest => ({
  first,
  after,
  last,
  before,
})

export type FleetReads = ReturnType<typeof fleetReads>

export interface FleetContext {
  readonly fleet: FleetReads
}
