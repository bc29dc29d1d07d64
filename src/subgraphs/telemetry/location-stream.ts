import type { Notifier } from '../../queue/notifier.ts'
import { shownIf } from '../../storage/pagination/list-query.ts'
import { readPage } from '../../storage/pagination/pagination.ts'
import { tableOf } from '../../storage/sql/table.ts'
import { and, atLeast, oneOf, type Tenant, tenantWhere, type Where } from '../../storage/sql/where.ts'
import type { RepositoryDeps } from '../schema/repository-deps.ts'
import { narrowedTenant } from '../schema/connection-ids.ts'
import { checkIds } from '../schema/id-arguments.ts'
import { notifiedStream } from '../streams/notified-stream.ts'
import { createVisibleReads, type VisibleReads } from '../tables/visible-reads.ts'
import { LatestVehicleLocation } from './location.ts'
import { locationsTopic } from './topics.ts'

const table = tableOf(LatestVehicleLocation)

export interface LocationStreamFilter {
  readonly vehicleIds?: readonly string[] | null
  readonly connectionIds?: readonly string[] | null
  /** Whether the stream begins with the stored locations. */
  readonly snapshot: boolean
}

interface LocationStreamDeps extends Pick<RepositoryDeps, 'db' | 'cursorKey'> {
  readonly notifier: Pick<Notifier, 'subscribe'>
}

/**
 * Each read of new locations starts this long before the newest delivered stamp. Transactions of different connections
 * can commit out of the order of their stamps, but are assumed to be late by at most this time.
 */
const OVERLAP_MS = 5000

/** Number of stored locations that a stream reads at once. */
const SNAPSHOT_PAGE = 500

/**
 * Streams latest locations: first those that are stored, if the snapshot is requested, then each that is stored from now
 * on. A location that a newer one has replaced is skipped. Locations of hidden vehicles are left out.
 */
export function locationStream(
  { db, cursorKey, notifier }: LocationStreamDeps,
  tenant: Tenant,
  { vehicleIds, connectionIds, snapshot }: LocationStreamFilter,
): AsyncIterableIterator<LatestVehicleLocation> {
  checkIds('vehicle', vehicleIds)
  const scope = narrowedTenant(tenant, connectionIds)
  const where = and(tenantWhere(scope), oneOf('vehicleId', vehicleIds))
  const deliveredStamps = new Map<string, number>()
  let newestDelivered: number | null = null
  let snapshotAfter: string | null = null
  let isInSnapshot = snapshot

  const markDelivered = (rows: readonly LatestVehicleLocation[]) => {
    for (const row of rows) deliveredStamps.set(row.vehicleId, row.modifiedAt)
  }

  async function snapshotPage(visible: VisibleReads): Promise<readonly LatestVehicleLocation[]> {
    const list = { table, where, order: ['vehicleId' as const] }
    const request = { first: SNAPSHOT_PAGE, after: snapshotAfter }
    const page = await visible.ownedBy('vehicleId')((condition) =>
      readPage(db, shownIf(list, condition), request, cursorKey),
    )
    const last = page.rows.at(-1)
    snapshotAfter = last ? page.cursorOf(last) : null
    isInSnapshot = page.hasNextPage
    return page.rows
  }

  return notifiedStream(
    (listener) => notifier.subscribe(locationsTopic(tenant.applicationId), listener),
    async () => {
      // The filters can have changed since the previous read.
      const visible = createVisibleReads(db, scope)
      const isFirstRead = newestDelivered === null
      newestDelivered ??= await newestStamp()
      if (isInSnapshot) {
        const rows = await snapshotPage(visible)
        markDelivered(rows)
        if (rows.length > 0) return visible.withoutHiddenDrivers(rows)
      }
      const rows = await storedAround(newestDelivered)
      if (isFirstRead && !snapshot) {
        // The rows of the overlap were stored before the stream began, so they count as delivered.
        markDelivered(rows)
        return []
      }
      const fresh = rows.filter((row) => deliveredStamps.get(row.vehicleId) !== row.modifiedAt)
      markDelivered(fresh)
      newestDelivered = Math.max(newestDelivered, ...fresh.map((row) => row.modifiedAt))
      return visible.withoutHiddenDrivers(fresh)
    },
  )

  async function newestStamp(): Promise<number> {
    const sql = `SELECT MAX(\`modifiedAt\`) AS newest FROM \`${table.name}\` WHERE ${where.sql}`
    const [row] = await db.rows<{ newest: number | null }>(sql, where.parameters)
    return Number(row?.newest ?? 0)
  }

  /** Returns the rows with a stamp after the given one, and those of the overlap before it. */
  async function storedAround(stamp: number): Promise<LatestVehicleLocation[]> {
    const around: Where = and(where, atLeast('modifiedAt', stamp - OVERLAP_MS))
    const sql = `SELECT ${table.selected} FROM \`${table.name}\` WHERE ${around.sql} ORDER BY \`modifiedAt\``
    const rows = await db.rows<Record<string, unknown>>(sql, around.parameters)
    return rows.map((row) => table.toRow(row))
  }
}
