import { invalidArgument } from '../../../domain/errors.ts'
import { groupByKeys } from '../../../storage/loaders/order-by-keys.ts'
import { createNamedLoader } from '../../../storage/loaders/batch-loader.ts'
import { shownIf } from '../../../storage/pagination/list-query.ts'
import { type Page, readPage } from '../../../storage/pagination/pagination.ts'
import { tableOf, tableOfExpressions } from '../../../storage/sql/table.ts'
import {
  and,
  atLeast,
  atMost,
  tenantWhere,
  oneOf,
  type Tenant,
  type Where,
} from '../../../storage/sql/where.ts'
import { toInstant } from '../../../domain/time.ts'
import { rounded } from '../../../domain/units.ts'
import { type ConnectionIds, narrowedTenant } from '../../schema/connection-ids.ts'
import { idListFilter } from '../../schema/id-arguments.ts'
import { filtersByModified, modifiedWithin } from '../../schema/list-args.ts'
import { RawRecord } from '../../tables/raw-record.ts'
import type { VisibleReads } from '../../tables/visible-reads.ts'
import type { RepositoryDeps } from '../../schema/repository-deps.ts'
import type { IftaArgs, UtilizationArgs } from '../list-args.ts'
import { IftaGrouping, type IftaSummary, IftaVehicleMonth } from './ifta-summary.ts'
import { type UtilizationSum, utilizationSums, type VehicleUtilization } from './vehicle-utilization.ts'
import { DailyUtilization } from './daily-utilization.ts'

const rawRecords = tableOf(RawRecord)
/** A sum has a distance if one of its days has one. The API promises a distance. */
const hasDistance: Where = { sql: 'SUM(`distance`) IS NOT NULL', parameters: [] }
const notDeleted: Where = { sql: '`deletedAt` IS NULL', parameters: [] }

type IftaSum = Pick<IftaSummary, 'provider' | 'distance'> &
  Partial<Record<IftaGrouping, string>> & { readonly rawOf?: () => Promise<readonly RawRecord[]> }

/** Repository of sums for one caller: utilization over a range of days, and IFTA distances over a range of months. */
export function aggregateRepository(
  { db, cursorKey }: RepositoryDeps,
  tenant: Tenant,
  visible: VisibleReads,
) {
  const ofVisibleVehicles = visible.ownedBy('vehicleId')
  return {
    async vehicleUtilization(
      args: UtilizationArgs,
      connectionIds: ConnectionIds,
    ): Promise<Page<VehicleUtilization>> {
      const allDays = and(
        tenantWhere(narrowedTenant(tenant, connectionIds)),
        atLeast('date', args.startDate),
        atMost('date', args.endDate),
        idListFilter('vehicle', args.vehicleIds),
      )
      const days = and(allDays, notDeleted)
      const groups = ['vehicleId'] as const
      const list = {
        table: utilizationSums,
        where: days,
        groupBy: groups,
        having: and(hasDistance, changedWithin(args, allDays)),
        order: groups,
      }
      const page = await ofVisibleVehicles((condition) =>
        readPage<UtilizationSum>(db, shownIf(list, condition), args, cursorKey),
      )
      const raw = rawOfGroups(tableOf(DailyUtilization).name, groups, days)
      return mapRows(page, (row) => ({
        ...row,
        distance: withoutNoise(row.distance),
        fuelConsumed: row.fuelConsumed === null ? null : withoutNoise(row.fuelConsumed),
        startAt: startOfDay(args.startDate ?? row.firstDate),
        endAt: startOfDay(args.endDate ?? row.lastDate) + DAY_MS,
        rawOf: () => raw.load(groupKey(row, groups)),
      }))
    },

    async iftaSummary(args: IftaArgs, connectionIds: ConnectionIds): Promise<Page<IftaSummary>> {
      const groups = groupsOf(args)
      const months = and(
        tenantWhere(narrowedTenant(tenant, connectionIds)),
        notDeleted,
        atLeast('month', args.startMonth),
        atMost('month', args.endMonth),
      )
      const list = {
        table: iftaSums(groups),
        where: months,
        groupBy: groups,
        order: groups,
      }
      const page = await ofVisibleVehicles((condition) =>
        readPage<IftaSum>(db, shownIf(list, condition), args, cursorKey),
      )
      const raw = rawOfGroups(tableOf(IftaVehicleMonth).name, groups, months)
      return mapRows(page, (row) => ({
        ...row,
        distance: withoutNoise(row.distance),
        rawOf: () => raw.load(groupKey(row, groups)),
      }))
    },
  }

  /** Creates a loader of the raw data of all rows that a group sums, by the key of the group. */
  function rawOfGroups(table: string, groups: readonly string[], where: Where) {
    const keys = groups.map((column) => `\`of\`.\`${column}\` AS \`${column}\``)
    const selected = rawRecords.selectedColumns.map((column) => `raw.\`${column}\` AS \`${column}\``)
    const [firstGroup = ''] = groups
    return createNamedLoader<string, RawRecord[]>('raw_records by group', async (requestedKeys) => {
      // Only the first column limits the statement. `groupByKeys` drops the groups that were not requested.
      const firstValues = [...new Set(requestedKeys.map((key) => String(JSON.parse(key)[0])))]
      const rows = await ofVisibleVehicles((condition) => {
        const within = and(where, oneOf(firstGroup, firstValues), condition)
        return db.rows<Record<string, unknown>>(
          `SELECT ${[...keys, ...selected].join(', ')} FROM (SELECT * FROM \`${table}\` WHERE ${within.sql}) AS \`of\`
            JOIN \`${rawRecords.name}\` AS raw ON raw.\`ownerId\` = \`of\`.\`id\` ORDER BY raw.\`ownerId\``,
          within.parameters,
        )
      })
      const keyed = rows.map((row) => ({ key: groupKey(row, groups), record: rawRecords.toRow(row) }))
      return groupByKeys(requestedKeys, keyed, ({ key }) => key).map((group) =>
        group.map(({ record }) => record),
      )
    })
  }
}

/** Returns the grouping columns in a fixed order, because they also order the rows of the list. */
function groupsOf({ groupBy }: IftaArgs): IftaGrouping[] {
  const groups = Object.values(IftaGrouping).filter((group) => groupBy.includes(group))
  if (groups.length > 0) return groups
  throw invalidArgument('groupBy', '`groupBy` must contain at least one value.')
}

const DAY_MS = 86_400_000

const startOfDay = (date: string): number => toInstant(`${date}T00:00:00Z`) ?? 0

/** Rounds a sum to meters or milliliters. Sums of decimal fractions contain noise, such as 2257.1369999999997. */
const withoutNoise = (sum: number): number => rounded(sum, 3)

const mapRows = <Row, Result extends Row>(page: Page<Row>, toResult: (row: Row) => Result): Page<Result> => ({
  ...page,
  rows: page.rows.map(toResult),
})

/** Returns the key of a group: the values of its columns in order, as JSON. */
const groupKey = (row: object, groups: readonly string[]): string =>
  JSON.stringify(groups.map((column) => (row as Record<string, unknown>)[column]))

/**
 * Returns the condition for vehicles with a day that changed between the two times. A removed day is a change: the sum
 * lacks it. Null if no time is given.
 */
function changedWithin(args: UtilizationArgs, allDays: Where): Where | null {
  if (!filtersByModified(args)) return null
  const { sql, parameters } = and(allDays, ...modifiedWithin(args))
  return {
    sql: `\`vehicleId\` IN (SELECT \`vehicleId\` FROM \`${tableOf(DailyUtilization).name}\` WHERE ${sql})`,
    parameters,
  }
}

function iftaSums(groups: readonly IftaGrouping[]) {
  const columns = Object.fromEntries(groups.map((column) => [column, `\`${column}\``]))
  return tableOfExpressions<IftaSum>(tableOf(IftaVehicleMonth), {
    ...columns,
    provider: 'MIN(`provider`)',
    distance: 'SUM(`distance`)',
  } as never)
}
