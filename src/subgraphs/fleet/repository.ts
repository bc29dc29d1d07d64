import { isId } from '../../domain/ids.ts'
import { pagesByParent, rowById, rowsByColumn } from '../../storage/loaders/loaders.ts'
import { type Page, readPage, pageRequestOf } from '../../storage/pagination/pagination.ts'
import { type ListQuery, shownIf } from '../../storage/pagination/list-query.ts'
import { readWatermark } from '../../storage/in-flight-writes.ts'
import { tableWithColumns, type Table, tableOf } from '../../storage/sql/table.ts'
import { onlyConnectionOf } from '../../domain/tenant-scope.ts'
import { and, indexOf, tenantWhere, tenantColumnOf, type Tenant } from '../../storage/sql/where.ts'
import { filtersByModified, type EntityArgs, modifiedWithin, unlessDeleted } from '../schema/list-args.ts'
import { RawRecord } from '../tables/raw-record.ts'
import type { RepositoryDeps } from '../schema/repository-deps.ts'
import type { ProviderRecord } from '../tables/provider-record.ts'
import { type FiltersByConnection, hiddenReason } from '../tables/visibility.ts'
import type { VisibleReads } from '../tables/visible-reads.ts'
import type { FilteredKind } from '../tables/filtered-connection.ts'
import { Device } from './device.ts'
import { Driver } from './driver.ts'
import type { FilteredArgs } from './list-args.ts'
import { Group } from './group.ts'
import { type FilterableRow, Visibility } from './value-types/entity-metadata.ts'
import { Trailer } from './trailer.ts'
import { Vehicle } from './vehicle.ts'

const devices = tableOf(Device)

/** Repository of the fleet tables for one caller. All fields of this subgraph read the tables through it. */
export function fleetRepository({ db, cursorKey }: RepositoryDeps, tenant: Tenant, visible: VisibleReads) {
  const onlyConnection = onlyConnectionOf(tenant)

  /**
   * Returns the list query of the arguments. A list in the order of `modifiedAt` ends at the watermark. A write in
   * flight can still add rows above the watermark, and a caller that has read further would miss them.
   */
  async function listOf<Row extends ProviderRecord>(
    table: Table<Row>,
    args: EntityArgs,
  ): Promise<ListQuery<Row>> {
    const byModified = filtersByModified(args)
    const order = byModified ? (['modifiedAt', 'id'] as const) : (['id'] as const)
    return {
      table,
      where: and(tenantWhere(tenant), unlessDeleted(args), ...modifiedWithin(args)),
      order,
      index: indexOf(tenantColumnOf(tenant), order),
      shown: byModified ? await readWatermark(db, tenant) : null,
    }
  }

  const createList = <Row extends ProviderRecord>(entity: new () => Row) => {
    const table = tableOf(entity)
    const byConnection = pagesByParent<Row>(db, cursorKey, 'connectionId')
    return {
      page: async (args: EntityArgs) => readPage(db, await listOf(table, args), args, cursorKey),
      pageOfConnection: async (connectionId: string, args: EntityArgs) =>
        byConnection(connectionId, inConnection(await listOf(table, args)), pageRequestOf(args)),
      byId: rowById(db, table, tenant),
    }
  }

  /** Creates the reads of records that connection filters can hide. */
  const createFilteredList = <Row extends Vehicle | Driver>(entity: new () => Row, kind: FilteredKind) => {
    const baseTable = tableOf(entity)
    // The visibility of a record depends on its connection, which varies for a caller with several connections.
    const table =
      onlyConnection === null
        ? tableWithColumns(baseTable, [...baseTable.selectedColumns, 'connectionId'])
        : baseTable
    const byConnection = pagesByParent<Row>(db, cursorKey, 'connectionId')
    const visiblePage = async (
      args: FilteredArgs,
      read: (list: ListQuery<Row>) => Promise<Page<Row>>,
    ): Promise<Page<Row>> => {
      const list = await listOf(table, args)
      return args.hidden ? read(list) : visible.of(kind)((condition) => read(shownIf(list, condition)))
    }
    return {
      page: (args: FilteredArgs) => visiblePage(args, (list) => readPage(db, list, args, cursorKey)),
      pageOfConnection: (connectionId: string, args: FilteredArgs) =>
        visiblePage(args, (list) => byConnection(connectionId, inConnection(list), pageRequestOf(args))),
      byId: rowById(db, table, tenant),
    }
  }

  return {
    vehicles: createFilteredList(Vehicle, 'vehicles'),
    drivers: createFilteredList(Driver, 'drivers'),
    trailers: createList(Trailer),
    groups: createList(Group),
    devices: createList(Device),
    devicesOfVehicle: rowsByColumn(db, devices, tenant, 'vehicleId'),
    deviceIdsOfVehicle: rowsByColumn(db, tableWithColumns(devices, ['id', 'vehicleId']), tenant, 'vehicleId'),
    raw: rowsByColumn(db, tableOf(RawRecord), tenant, 'ownerId'),
    /** Returns the visibility of a record in lists. It is synchronous once the filters are loaded. */
    visibilityOf(row: FilterableRow): Visibility | Promise<Visibility> {
      if (row.deletedAt !== null) return Visibility.DELETED
      const kind = filteredKindOf(row.id)
      if (!kind) return Visibility.VISIBLE
      const filters = visible.filters()
      return filters instanceof Promise
        ? filters.then((loaded) => visibilityBy(loaded, row, kind))
        : visibilityBy(filters, row, kind)
    },
  }

  function visibilityBy(filters: FiltersByConnection, row: FilterableRow, kind: FilteredKind): Visibility {
    const filter = filters.get(onlyConnection ?? row.connectionId ?? '')?.[kind]
    const hidden = filter && hiddenReason(filter, { id: row.id, status: row.status ?? '' })
    return hidden ? (hidden as Visibility) : Visibility.VISIBLE
  }
}

const filteredKindOf = (id: string): FilteredKind | null =>
  isId('vehicle', id) ? 'vehicles' : isId('driver', id) ? 'drivers' : null

/** Adapts a list query to a list within one connection. */
const inConnection = <Row>(list: ListQuery<Row>): ListQuery<Row> => ({
  ...list,
  index: indexOf('connectionId', list.order),
})

export type FleetRepository = ReturnType<typeof fleetRepository>

export interface FleetContext {
  readonly fleet: FleetRepository
}
