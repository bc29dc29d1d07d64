import { isId } from '../../domain/ids.ts'
import {
  type Parent,
  pagesByCondition,
  parentBy,
  rowByColumn,
  rowById,
  rowsByColumn,
} from '../../storage/loaders/loaders.ts'
import { type Page, readPage, pageRequestOf } from '../../storage/pagination/pagination.ts'
import { type ListQuery, shownIf } from '../../storage/pagination/list-query.ts'
import { readWatermark } from '../../storage/in-flight-writes.ts'
import { tableWithColumns, type Table, tableOf } from '../../storage/sql/table.ts'
import {
  and,
  indexOf,
  tenantWhere,
  tenantColumnOf,
  type Tenant,
  type Where,
} from '../../storage/sql/where.ts'
import { type ConnectionIds, narrowedTenant } from '../schema/connection-ids.ts'
import { type EntityArgs, modifiedWithin, unlessDeleted } from '../schema/list-args.ts'
import { RawRecord } from '../tables/raw-record.ts'
import type { RepositoryDeps } from '../schema/repository-deps.ts'
import { LIST_INDEXES, type ProviderRecord } from '../tables/provider-record.ts'
import { type FiltersByConnection, hiddenReason } from '../tables/visibility.ts'
import { memberOfGroup } from '../tables/group-members.ts'
import type { VisibleReads } from '../tables/visible-reads.ts'
import type { FilteredKind } from '../tables/filtered-connection.ts'
import { Device } from './device.ts'
import { Driver } from './driver.ts'
import {
  type ConditionsOf,
  type DriverArgs,
  driverConditions,
  rosterConditions,
  type TrailerArgs,
  type VehicleArgs,
  vehicleConditions,
} from './filters/roster-args.ts'
import { type OrderedArgs, ordersByModified } from './filters/roster-order.ts'
import type { FilteredArgs } from './list-args.ts'
import { Group } from './group.ts'
import { type FilterableRow, Visibility } from './value-types/entity-metadata.ts'
import { Trailer } from './trailer.ts'
import { Vehicle } from './vehicle.ts'
import { OwnVehicleFacts } from './vehicle-facts/vehicle-facts.ts'

const devices = tableOf(Device)

/** Filters of the root lists, which nested lists do not have. */
interface RootFilters {
  readonly connectionIds?: ConnectionIds
  readonly conditions?: readonly (Where | null)[]
}

/** Repository of the fleet tables for one caller. All fields of this subgraph read the tables through it. */
export function fleetRepository({ db, cursorKey }: RepositoryDeps, tenant: Tenant, visible: VisibleReads) {
  /**
   * Returns the list query of the arguments. A list of several connections in the order of `modifiedAt` ends at the
   * watermark. A write in flight can still add rows above the watermark, and a caller that has read further would miss them.
   */
  async function listQueryOf<Row extends ProviderRecord>(
    table: Table<Row>,
    args: EntityArgs & OrderedArgs,
    { connectionIds, conditions = [] }: RootFilters = {},
  ): Promise<ListQuery<Row>> {
    const scope = narrowedTenant(tenant, connectionIds)
    const byModified = ordersByModified(args)
    // If few rows match, a scan of the primary key reads many rows of other applications. This index has only the rows
    // of one application.
    const isNarrowed = connectionIds != null || conditions.some((condition) => condition !== null)
    const order = byModified ? (['modifiedAt', 'id'] as const) : (['id'] as const)
    return {
      table,
      where: and(tenantWhere(scope), unlessDeleted(args), ...modifiedWithin(args), ...conditions),
      order,
      index: isNarrowed && !byModified ? LIST_INDEXES[0] : indexOf(tenantColumnOf(scope), order),
      shown: byModified ? await readWatermark(db, scope) : null,
    }
  }

  const createReads = <Row extends ProviderRecord, Args extends EntityArgs = EntityArgs>(
    entity: new () => Row,
    conditionsOf: ConditionsOf<Args> = () => [],
  ) => {
    const table = tableOf(entity)
    const pages = pagesByCondition<Row>(db, cursorKey)
    const pageWithin = async (parent: Parent, args: EntityArgs) =>
      pages(parent, withConnectionIndex(await listQueryOf(table, args)), pageRequestOf(args))
    return {
      page: async (args: Args, connectionIds: ConnectionIds) => {
        const filters = { connectionIds, conditions: conditionsOf(db.dialect, args) }
        return readPage(db, await listQueryOf(table, args, filters), args, cursorKey)
      },
      pageOfConnection: (connectionId: string, args: EntityArgs) =>
        pageWithin(parentBy('connectionId', connectionId), args),
      pageOfGroup: (group: Group, args: EntityArgs) => pageWithin(membersOf(group), args),
      /** Lists the groups directly below the group. */
      pageOfChildren: (group: Group, args: EntityArgs) =>
        pageWithin(groupParent(group, parentBy('parentId', group.id).where), args),
      byId: rowById(db, table, tenant),
    }
  }

  /** Creates the reads of records that connection filters can hide. */
  const createFilteredReads = <Row extends Vehicle | Driver, Args extends FilteredArgs>(
    entity: new () => Row,
    kind: FilteredKind,
    conditionsOf: ConditionsOf<Args>,
  ) => {
    const table = tableOf(entity)
    const pages = pagesByCondition<Row>(db, cursorKey)
    const visiblePage = async (
      args: FilteredArgs,
      read: (list: ListQuery<Row>) => Promise<Page<Row>>,
      filters?: RootFilters,
    ): Promise<Page<Row>> => {
      const list = await listQueryOf(table, args, filters)
      return args.hidden ? read(list) : visible.of(kind)((condition) => read(shownIf(list, condition)))
    }
    const pageWithin = (parent: Parent, args: FilteredArgs) =>
      visiblePage(args, (list) => pages(parent, withConnectionIndex(list), pageRequestOf(args)))
    return {
      page: async (args: Args, connectionIds: ConnectionIds) => {
        const filters = { connectionIds, conditions: conditionsOf(db.dialect, args) }
        return visiblePage(args, (list) => readPage(db, list, args, cursorKey), filters)
      },
      pageOfConnection: (connectionId: string, args: FilteredArgs) =>
        pageWithin(parentBy('connectionId', connectionId), args),
      pageOfGroup: (group: Group, args: FilteredArgs) => pageWithin(membersOf(group), args),
      byId: rowById(db, table, tenant),
    }
  }

  return {
    vehicles: createFilteredReads<Vehicle, VehicleArgs>(Vehicle, 'vehicles', vehicleConditions),
    drivers: createFilteredReads<Driver, DriverArgs>(Driver, 'drivers', driverConditions),
    trailers: createReads<Trailer, TrailerArgs>(Trailer, rosterConditions),
    groups: createReads(Group),
    devices: createReads(Device),
    devicesOfVehicle: rowsByColumn(db, devices, tenant, 'vehicleId'),
    deviceIdsOfVehicle: rowsByColumn(db, tableWithColumns(devices, ['id', 'vehicleId']), tenant, 'vehicleId'),
    ownFacts: rowByColumn(db, tableOf(OwnVehicleFacts), tenant, 'vehicleId'),
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

  /** Returns the parent of the vehicles, drivers or trailers of a group. */
  function membersOf(group: Group): Parent {
    return groupParent(group, memberOfGroup(db.dialect, group.id))
  }
}

function visibilityBy(filters: FiltersByConnection, row: FilterableRow, kind: FilteredKind): Visibility {
  const filter = filters.get(row.connectionId)?.[kind]
  const reason = filter && hiddenReason(filter, { id: row.id, status: row.status ?? '' })
  return reason ? (reason as Visibility) : Visibility.VISIBLE
}

/** Returns the parent of the records that meet a condition and have the connection of the group. */
const groupParent = ({ id, connectionId }: Group, condition: Where): Parent => ({
  key: id,
  where: and(parentBy('connectionId', connectionId).where, condition),
})

const filteredKindOf = (id: string): FilteredKind | null =>
  isId('vehicle', id) ? 'vehicles' : isId('driver', id) ? 'drivers' : null

/** Makes a list query use the index of one connection. */
const withConnectionIndex = <Row>(list: ListQuery<Row>): ListQuery<Row> => ({
  ...list,
  index: indexOf('connectionId', list.order),
})

export type FleetRepository = ReturnType<typeof fleetRepository>

export interface FleetContext {
  readonly fleet: FleetRepository
}
