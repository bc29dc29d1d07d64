import { isId } from '../../domain/ids.ts'
import { pagesByParent, rowById, rowsByColumn } from '../../storage/loaders/loaders.ts'
import { type Page, readPage, requestOf } from '../../storage/pagination/pagination.ts'
import type { ListQuery } from '../../storage/pagination/list-query.ts'
import { readWatermark } from '../../storage/in-flight-writes.ts'
import { tableWithColumns, type Table, tableOf } from '../../storage/sql/table.ts'
import { onlyConnectionOf } from '../../domain/tenant-scope.ts'
import { and, indexOf, tenantWhere, ownerOf, type Tenant, type Where } from '../../storage/sql/where.ts'
import { filtersByModified, type EntityArgs, modifiedWithin, unlessDeleted } from '../schema/list-args.ts'
import { RawRecord } from '../tables/raw-record.ts'
import type { RepositoryDeps } from '../schema/repository-deps.ts'
import type { ProviderRecord } from '../tables/provider-record.ts'
import { type FiltersByConnection, filtersOf, hiddenReason, visibleWhere } from '../tables/visibility.ts'
import type { FilteredKind } from '../tables/filtered-connection.ts'
import { Device } from './device.ts'
import { Driver } from './driver.ts'
import type { FilteredArgs } from './list-args.ts'
import { Group } from './group.ts'
import { type SeenRow, Visibility } from './value-types/entity-metadata.ts'
import { Trailer } from './trailer.ts'
import { Vehicle } from './vehicle.ts'

const devices = tableOf(Device)

/** The only door to the fleet's tables for the fields of this subgraph, bound to one caller. */
export function fleetRepository({ db, cursorKey }: RepositoryDeps, tenant: Tenant) {
  const onlyConnection = onlyConnectionOf(tenant)
  let filtersRead: Promise<FiltersByConnection> | undefined
  let filtersKnown: FiltersByConnection | undefined
  const filters = () => (filtersRead ??= filtersOf(db, tenant).then((filters) => (filtersKnown = filters)))

  /** The list that the arguments ask for; `shown` narrows it to what the filters of connections show. */
  async function listOf<Row extends ProviderRecord>(
    table: Table<Row>,
    args: EntityArgs,
  ): Promise<ListQuery<Row>> {
    const byTime = filtersByModified(args)
    const order = byTime ? (['modifiedAt', 'id'] as const) : (['id'] as const)
    return {
      table,
      where: and(tenantWhere(tenant), unlessDeleted(args), ...modifiedWithin(args)),
      order,
      index: indexOf(ownerOf(tenant), order),
      shown: byTime ? await readWatermark(db, tenant) : null,
    }
  }

  const listed = <Row extends ProviderRecord>(entity: new () => Row) => {
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
    const table =
      onlyConnection === null ? tableWithColumns(plain, [...plain.selectedColumns, 'connectionId']) : plain
    const byConnection = pagesByParent<Row>(db, cursorKey, 'connectionId')

    /** Few connections have filters, so the list is read as if there were none while they are looked up. */
    const shownPage = async (
      args: FilteredArgs,
      read: (list: ListQuery<Row>) => Promise<Page<Row>>,
    ): Promise<Page<Row>> => {
      const list = await listOf(table, args)
      if (args.hidden) return read(list)
      const [known, whole] = await Promise.all([filters(), read(list)])
      const shown = visibleWhere(known, kind)
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
    deviceIdsOfVehicle: rowsByColumn(db, tableWithColumns(devices, ['id', 'vehicleId']), tenant, 'vehicleId'),
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
    const hidden = filter && hiddenReason(filter, { id: row.id, status: row.status ?? '' })
    return hidden ? (hidden as Visibility) : Visibility.VISIBLE
  }
}

const filteredKindOf = (id: string): FilteredKind | null =>
  isId('vehicle', id) ? 'vehicles' : isId('driver', id) ? 'drivers' : null

const both = (one: Where | null | undefined, other: Where): Where => (one ? and(one, other) : other)

/** A list as it is read within a connection. */
const inConnection = <Row>(list: ListQuery<Row>): ListQuery<Row> => ({
  ...list,
  index: indexOf('connectionId', list.order),
})

export type FleetRepository = ReturnType<typeof fleetRepository>

export interface FleetContext {
  readonly fleet: FleetRepository
}
