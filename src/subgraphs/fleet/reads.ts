import { isId } from '../../ids.ts'
import { pagesByParent, rowById, rowsByColumn } from '../../storage/loaders.ts'
import { type List, type Page, readPage, requestOf } from '../../storage/page.ts'
import { settledBound } from '../../storage/open-writes.ts'
import { only, type Table, tableOf } from '../../storage/table.ts'
import { onlyConnectionOf } from '../../tenant.ts'
import { and, indexOf, mine, ownerOf, type Tenant, type Where } from '../../storage/where.ts'
import { asksByModified, type EntityArgs, modifiedWithin, unlessDeleted } from '../filters.ts'
import { RawRecord } from '../raw-record.ts'
import type { ReadsFrom } from '../reads.ts'
import type { Sourced } from '../sourced.ts'
import { type FilteredKind, type FiltersByConnection, filtersOf, hiddenBy, shownBy } from '../visibility.ts'
import { Device } from './device.ts'
import { Driver } from './driver.ts'
import type { FilteredArgs } from './filters.ts'
import { Group } from './group.ts'
import { type SeenRow, Visibility } from './metadata.ts'
import { Trailer } from './trailer.ts'
import { Vehicle } from './vehicle.ts'

const devices = tableOf(Device)

/** The only door to the fleet's tables for the fields of this subgraph, bound to one caller. */
export function fleetReads({ db, cursorKey }: ReadsFrom, tenant: Tenant) {
  const onlyConnection = onlyConnectionOf(tenant)
  let filtersRead: Promise<FiltersByConnection> | undefined
  let filtersKnown: FiltersByConnection | undefined
  const filters = () => (filtersRead ??= filtersOf(db, tenant).then((filters) => (filtersKnown = filters)))

  /** The list that the arguments ask for; `shown` narrows it to what the filters of connections show. */
  async function listOf<Row extends Sourced>(table: Table<Row>, args: EntityArgs): Promise<List<Row>> {
    const byTime = asksByModified(args)
    const order = byTime ? (['modifiedAt', 'id'] as const) : (['id'] as const)
    return {
      table,
      where: and(mine(tenant), unlessDeleted(args), ...modifiedWithin(args)),
      order,
      index: indexOf(ownerOf(tenant), order),
      shown: byTime ? await settledBound(db, tenant) : null,
    }
  }

  const listed = <Row extends Sourced>(entity: new () => Row) => {
    const table = tableOf(entity)
    const byConnection = pagesByParent<Row>(db, cursorKey, 'connectionId')
    return {
      page: async (args: EntityArgs) => readPage(db, await listOf(table, args), args, cursorKey),
      pageOfConnection: async (connectionId: string, args: EntityArgs) =>
        byConnection(connectionId, inConnection(await listOf(table, args)), requestOf(args)),
      byId: rowById(db, table, tenant),
    }
  }

  /** Lists of records that connections' filters may hide. */
  const filtered = <Row extends Vehicle | Driver>(entity: new () => Row, kind: FilteredKind) => {
    const plain = tableOf(entity)
    const table = onlyConnection === null ? only(plain, [...plain.selectedColumns, 'connectionId']) : plain
    const byConnection = pagesByParent<Row>(db, cursorKey, 'connectionId')

    /** Few connections have filters, so the list is read as if there were none while they are looked up. */
    const shownPage = async (
      args: FilteredArgs,
      read: (list: List<Row>) => Promise<Page<Row>>,
    ): Promise<Page<Row>> => {
      const list = await listOf(table, args)
      if (args.hidden) return read(list)
      const [known, whole] = await Promise.all([filters(), read(list)])
      const shown = shownBy(known, kind)
      return shown ? read({ ...list, shown: both(list.shown, shown) }) : whole
    }
    return {
      page: (args: FilteredArgs) => shownPage(args, (list) => readPage(db, list, args, cursorKey)),
      pageOfConnection: (connectionId: string, args: FilteredArgs) =>
        shownPage(args, (list) => byConnection(connectionId, inConnection(list), requestOf(args))),
      byId: rowById(db, table, tenant),
    }
  }

  return {
    vehicles: filtered(Vehicle, 'vehicles'),
    drivers: filtered(Driver, 'drivers'),
    trailers: listed(Trailer),
    groups: listed(Group),
    devices: listed(Device),
    devicesOfVehicle: rowsByColumn(db, devices, tenant, 'vehicleId'),
    deviceIdsOfVehicle: rowsByColumn(db, only(devices, ['id', 'vehicleId']), tenant, 'vehicleId'),
    raw: rowsByColumn(db, tableOf(RawRecord), tenant, 'ownerId'),
    /** Whether lists show a record, and if not, why. Of the rows of a list it is known already. */
    visibilityOf(row: SeenRow): Visibility | Promise<Visibility> {
      if (row.deletedAt !== null) return Visibility.DELETED
      const kind = filteredKindOf(row.id)
      if (!kind) return Visibility.VISIBLE
      return filtersKnown
        ? visibilityBy(filtersKnown, row, kind)
        : filters().then((known) => visibilityBy(known, row, kind))
    },
  }

  function visibilityBy(known: FiltersByConnection, row: SeenRow, kind: FilteredKind): Visibility {
    const filter = known.get(onlyConnection ?? row.connectionId ?? '')?.[kind]
    const hidden = filter && hiddenBy(filter, { id: row.id, status: row.status ?? '' })
    return hidden ? (hidden as Visibility) : Visibility.VISIBLE
  }
}

const filteredKindOf = (id: string): FilteredKind | null =>
  isId('vehicle', id) ? 'vehicles' : isId('driver', id) ? 'drivers' : null

const both = (one: Where | null | undefined, other: Where): Where => (one ? and(one, other) : other)

/** A list as it is read within a connection. */
const inConnection = <Row>(list: List<Row>): List<Row> => ({
  ...list,
  index: indexOf('connectionId', list.order),
})

export type FleetReads = ReturnType<typeof fleetReads>

export interface FleetContext {
  readonly fleet: FleetReads
}
