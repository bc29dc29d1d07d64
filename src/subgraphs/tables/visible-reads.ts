import type DataLoader from 'dataloader'
import type { Caller } from '../../auth/caller.ts'
import type { Rows } from '../../storage/database.ts'
import { createNamedLoader } from '../../storage/loaders/batch-loader.ts'
import { type ConditionalRead, MAX_BATCH_SIZE } from '../../storage/loaders/loaders.ts'
import { and, oneOf, type Tenant, tenantWhere, type Where } from '../../storage/sql/where.ts'
import { type EntityRef, entityRef } from '../schema/entity-references.ts'
import { type FilteredKind, filteredKinds as filteredKindNames } from './filtered-connection.ts'
import { type FiltersByConnection, filtersOf, hiddenReason, hiddenWhere, visibleWhere } from './visibility.ts'

/** Reads of one caller that exclude what the filters of its connections hide. They load the filters once. */
export interface VisibleReads {
  filters(): FiltersByConnection | Promise<FiltersByConnection>
  /** Reads vehicles or drivers. */
  readonly of: (kind: FilteredKind) => ConditionalRead
  /** Reads records. The vehicles or drivers in all these columns must be visible. */
  readonly ownedBy: (...owners: readonly RecordOwner[]) => ConditionalRead
  /**
   * Returns the reference of a record to a vehicle or driver that does not own it. Null if the vehicle or driver is
   * hidden. It is synchronous once the filters are loaded and none applies.
   */
  reference(kind: FilteredKind, id: string | null): EntityRef | null | Promise<EntityRef | null>
  /** Returns rows without the drivers that are hidden. */
  withoutHiddenDrivers<Row extends RowWithDriver>(rows: readonly Row[]): Promise<readonly Row[]>
}

/** Sender of a request, with the reads that exclude what is hidden from it. */
export interface VisibleRequester {
  readonly caller: Caller
  readonly visible: VisibleReads
}

interface RowWithDriver {
  readonly driverId: string | null
}

/** Part of the request context through which models refer to vehicles and drivers. */
export interface VisibleContext {
  readonly visible: VisibleReads
}

/** A column with the vehicle or the driver that decides whether a record is visible. */
export type RecordOwner = 'vehicleId' | 'driverId'

export function createVisibleReads(db: Rows, tenant: Tenant): VisibleReads {
  let promise: Promise<FiltersByConnection> | undefined
  let loaded: FiltersByConnection | undefined
  let filteredKinds: ReadonlySet<FilteredKind> = new Set()
  const load = () =>
    (promise ??= filtersOf(db, tenant).then((filters) => {
      filteredKinds = kindsIn(filters)
      return (loaded = filters)
    }))
  /**
   * Runs a read with the condition of the filters. Runs it without one while it loads the filters, because few
   * connections have any, and again if a condition applies.
   */
  const readWith =
    (conditionOf: (filters: FiltersByConnection) => Where | null): ConditionalRead =>
    async (read) => {
      if (loaded) return read(conditionOf(loaded))
      const [filters, unfiltered] = await Promise.all([load(), read(null)])
      const condition = conditionOf(filters)
      return condition ? read(condition) : unfiltered
    }
  const hiddenLoaders: Readonly<Record<FilteredKind, DataLoader<string, boolean>>> = {
    vehicles: hiddenLoader(db, tenant, 'vehicles', load),
    drivers: hiddenLoader(db, tenant, 'drivers', load),
  }
  const isHidden = async (kind: FilteredKind, id: string) => {
    await load()
    return filteredKinds.has(kind) && (await hiddenLoaders[kind].load(id))
  }
  return {
    filters: () => loaded ?? load(),
    of: (kind) => readWith((filters) => visibleWhere(filters, kind)),
    ownedBy: (...owners) => readWith((filters) => visibleOwnersWhere(tenant, owners, filters)),
    reference: (kind, id) =>
      id === null || (loaded && !filteredKinds.has(kind))
        ? entityRef(id)
        : isHidden(kind, id).then((hidden) => (hidden ? null : entityRef(id))),
    async withoutHiddenDrivers(rows) {
      const ids = [...new Set(rows.flatMap(({ driverId }) => driverId ?? []))]
      if (ids.length === 0) return rows
      const areHidden = await Promise.all(ids.map((id) => isHidden('drivers', id)))
      const hidden = new Set<string | null>(ids.filter((_, index) => areHidden[index]))
      return rows.map((row) => (hidden.has(row.driverId) ? { ...row, driverId: null } : row))
    },
  }
}

const kindsIn = (filters: FiltersByConnection): ReadonlySet<FilteredKind> =>
  new Set(filteredKindNames.filter((kind) => [...filters.values()].some((each) => each[kind])))

/** Loads whether the filters hide a vehicle or driver. One that is not stored is not hidden. */
function hiddenLoader(
  db: Rows,
  tenant: Tenant,
  kind: FilteredKind,
  load: () => Promise<FiltersByConnection>,
): DataLoader<string, boolean> {
  const read = async (ids: readonly string[]) => {
    const where = and(tenantWhere(tenant), oneOf('id', ids))
    const [filters, rows] = await Promise.all([
      load(),
      db.rows<{ id: string; connectionId: string; status: string }>(
        `SELECT \`id\`, \`connectionId\`, \`status\` FROM \`${kind}\` WHERE ${where.sql}`,
        where.parameters,
      ),
    ])
    const isHidden = ({ connectionId, ...row }: (typeof rows)[number]) => {
      const filter = filters.get(connectionId)?.[kind]
      return filter != null && hiddenReason(filter, row) !== null
    }
    const hidden = new Set(rows.filter(isHidden).map(({ id }) => id))
    return ids.map((id) => hidden.has(id))
  }
  return createNamedLoader(`hidden ${kind} by id`, read, { maxBatchSize: MAX_BATCH_SIZE })
}

const kindOf: Readonly<Record<RecordOwner, FilteredKind>> = { vehicleId: 'vehicles', driverId: 'drivers' }

/** Returns the condition for records of visible vehicles and drivers, or null if no filter applies. */
function visibleOwnersWhere(
  { applicationId }: Tenant,
  owners: readonly RecordOwner[],
  filtersByConnection: FiltersByConnection,
): Where | null {
  const conditions = [...filtersByConnection].flatMap(([connectionId, filters]) =>
    [...new Set(owners)].flatMap((owner) => {
      const kind = kindOf[owner]
      const hasOtherStatus = (status: string): Where => ({
        sql: `\`${owner}\` IN (SELECT \`id\` FROM \`${kind}\`
          WHERE \`applicationId\` = ? AND \`connectionId\` = ? AND \`status\` <> ?)`,
        parameters: [applicationId, connectionId, status],
      })
      const filter = filters[kind]
      const hidden = filter && hiddenWhere(filter, owner, hasOtherStatus)
      return hidden ? [visibleUnless(connectionId, hidden)] : []
    }),
  )
  const [first, ...rest] = conditions
  return first ? and(first, ...rest) : null
}

/** A record without a vehicle or driver is visible: comparing its NULL is never true. */
const visibleUnless = (connectionId: string, hidden: Where): Where => ({
  sql: `(\`connectionId\` <> ? OR ${hidden.sql} IS NOT TRUE)`,
  parameters: [connectionId, ...hidden.parameters],
})
