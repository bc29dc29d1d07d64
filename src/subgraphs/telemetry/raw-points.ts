import { tupleIn } from '../../storage/dialect.ts'
import { groupedInOrder } from '../../storage/in-order.ts'
import { namedLoader } from '../../storage/loader.ts'
import { tableOf } from '../../storage/table.ts'
import { and, mine, type Tenant } from '../../storage/where.ts'
import { RawPoint } from '../raw-record.ts'
import type { ReadsFrom } from '../reads.ts'

const table = tableOf(RawPoint)
const POINTS_AT_ONCE = 5000

interface PointKey {
  readonly ownerId: string
  readonly at: number
  readonly series: string
}

/** What providers sent for points of series: one statement for the points of a page. */
export const rawPointLoader = (db: ReadsFrom['db'], tenant: Tenant) =>
  namedLoader<PointKey, RawPoint[], string>('raw_points by point', (keys) => pointsOf(db, tenant, keys), {
    cacheKeyFn: keyOf,
    maxBatchSize: POINTS_AT_ONCE,
  })

async function pointsOf(
  db: ReadsFrom['db'],
  tenant: Tenant,
  keys: readonly PointKey[],
): Promise<RawPoint[][]> {
  const where = and(
    mine(tenant),
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
  return groupedInOrder(keys.map(keyOf), points, keyOf)
}

const keyOf = ({ ownerId, at, series }: PointKey): string => `${ownerId}/${at}/${series}`
