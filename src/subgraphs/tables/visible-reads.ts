import type { Rows } from '../../storage/database.ts'
import type { ConditionalRead } from '../../storage/loaders/loaders.ts'
import { and, type Tenant, type Where } from '../../storage/sql/where.ts'
import type { FilteredKind } from './filtered-connection.ts'
import { type FiltersByConnection, filtersOf, hiddenWhere, visibleWhere } from './visibility.ts'

/** Reads of one caller that exclude what the filters of its connections hide. They load the filters once. */
export interface VisibleReads {
  filters(): FiltersByConnection | Promise<FiltersByConnection>
  /** Reads vehicles or drivers. */
  readonly of: (kind: FilteredKind) => ConditionalRead
  /** Reads records. The vehicles or drivers in all these columns must be visible. */
  readonly ownedBy: (...owners: readonly RecordOwner[]) => ConditionalRead
}

/** A column with the vehicle or the driver that decides whether a record is visible. */
export type RecordOwner = 'vehicleId' | 'driverId'

export function createVisibleReads(db: Rows, tenant: Tenant): VisibleReads {
  let promise: Promise<FiltersByConnection> | undefined
  let loaded: FiltersByConnection | undefined
  const load = () => (promise ??= filtersOf(db, tenant).then((filters) => (loaded = filters)))
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
  return {
    filters: () => loaded ?? load(),
    of: (kind) => readWith((filters) => visibleWhere(filters, kind)),
    ownedBy: (...owners) => readWith((filters) => visibleOwnersWhere(tenant, owners, filters)),
  }
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
