import { tupleIn } from '../../storage/sql/dialect.ts'
import { groupByKeys } from '../../storage/loaders/order-by-keys.ts'
import { createNamedLoader } from '../../storage/loaders/batch-loader.ts'
import { tableOf } from '../../storage/sql/table.ts'
import { and, tenantWhere, type Tenant } from '../../storage/sql/where.ts'
import { RawPoint } from '../tables/raw-record.ts'
import type { RepositoryDeps } from '../schema/repository-deps.ts'

const table = tableOf(RawPoint)
const POINTS_PER_BATCH = 5000

interface PointKey {
  readonly ownerId: string
  readonly at: number
  readonly series: string
}

/** Loader of the raw data of points of a time series. It uses one statement for all points of a page. */
export const rawPointLoader = (db: RepositoryDeps['db'], tenant: Tenant) =>
  createNamedLoader<PointKey, RawPoint[], string>(
    'raw_points by point',
    (keys) => pointsOf(db, tenant, keys),
    {
      cacheKeyFn: keyOf,
      maxBatchSize: POINTS_PER_BATCH,
    },
  )

async function pointsOf(
  db: RepositoryDeps['db'],
  tenant: Tenant,
  keys: readonly PointKey[],
): Promise<RawPoint[][]> {
  const where = and(
    tenantWhere(tenant),
    tupleIn(
      db.dialect,
      ['ownerId', 'at', 'series'],
      keys.map(({ ownerId, at, series }) => [ownerId, at, series]),
    ),
  )
  const rows = await db.rows<Record<string, unknown>>(
    `SELECT ${table.selected} FROM \`${table.name}\` WHERE ${where.sql}`,
    where.parameters,
  )
  const points = rows.map((row) => table.toRow(row))
  return groupByKeys(keys.map(keyOf), points, keyOf)
}

const keyOf = ({ ownerId, at, series }: PointKey): string => `${ownerId}/${at}/${series}`
