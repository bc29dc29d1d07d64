import { PublicError } from '../../domain/errors.ts'
import type { Id } from '../../domain/ids.ts'
import type { LatestModel } from '../../domain/record-models.ts'
import type { Registry } from '../../providers/registry.ts'
import type { Rows } from '../../storage/database.ts'
import type { PageRequest, ReadDatabase } from '../../storage/pagination/pagination.ts'
import { and, equal, tenantWhere, type Tenant } from '../../storage/sql/where.ts'
import { onlyConnectionOf } from '../../domain/tenant-scope.ts'
import type { Clock, Instant } from '../../domain/time.ts'
import { isShareable } from '../tables/latest-read.ts'
import { toPublicError, requireConnected } from './provider-calls.ts'

/** What reading what is only of now takes. */
export interface LatestDeps {
  readonly db: ReadDatabase
  /** Where what must not be a moment old is looked up, if that is not `db`. */
  readonly primary?: ReadDatabase
  readonly registry: Registry
  readonly clock: Clock
  /** Asks the provider of a connection and stores what it answers, once for all who ask meanwhile. */
  pollOnDemand(whose: OwnedConnection, model: LatestModel): Promise<void>
}

/** A connection and its owner. */
export interface OwnedConnection {
  readonly connectionId: Id<'connection'>
  readonly applicationId: Id<'application'>
}

/**
 * Lists what is only of now for one caller (interface 4.8, gaps 9). Of a connection that is polled it is what was polled
 * last. Of any other the provider is asked before the first page; the pages after it are of the same reading. A caller
 * across connections is told what is stored: one that cannot be asked does not keep the others from it.
 */
export function createLatestLists(
  { db, primary = db, registry, clock, pollOnDemand }: LatestDeps,
  tenant: Tenant,
) {
  return async <T>(
    model: LatestModel,
    page: PageRequest,
    read: (from: ReadDatabase) => Promise<T>,
  ): Promise<T> => {
    const connectionId = onlyConnectionOf(tenant)
    const last = connectionId && (await findLastPoll(primary, tenant, connectionId, model))
    if (!connectionId || !last) return read(db)
    requireConnected(last.status)
    const now = clock.now()
    if (last.isAutomatic && last.standsUntil > now) return read(db)
    if (isFirst(page) && !isShareable(last.readAt, now)) {
      if (registry.find(last.provider)?.latest[model])
        await toPublicError(pollOnDemand({ connectionId, applicationId: tenant.applicationId }, model))
      else if (!mayBeMissing.has(model)) throw notThere()
    }
    // A replica may not have it yet.
    return read(primary)
  }
}

/** A fleet without trailers has an empty list of them, and so has one whose provider knows none (gaps 3.4). */
const mayBeMissing: ReadonlySet<LatestModel> = new Set(['LatestTrailerLocation'])

const notThere = () => new PublicError('not_implemented', 'This is not read of the provider.')

const isFirst = ({ after, before }: PageRequest): boolean => after == null && before == null

interface LastPoll {
  readonly status: string
  readonly provider: string
  readonly isAutomatic: boolean
  /** 0 before the first time. */
  readonly readAt: Instant
  readonly standsUntil: Instant
}

interface Row {
  readonly status: string
  readonly provider: string
  readonly syncMode: string
  readonly readAt: Instant | null
  readonly standsUntil: Instant | null
}

/** How a connection is read, and when its provider was asked last; null where the caller has no such connection. */
async function findLastPoll(
  db: Rows,
  tenant: Tenant,
  connectionId: string,
  model: LatestModel,
): Promise<LastPoll | null> {
  const where = and(tenantWhere(tenant), equal('id', connectionId))
  const [row] = await db.rows<Row>(
    `SELECT \`status\`, \`provider\`, \`syncMode\`, \`readAt\`, \`standsUntil\` FROM \`connections\`
      LEFT JOIN (SELECT \`connectionId\` AS \`readOf\`, \`readAt\`, \`standsUntil\` FROM \`latest_reads\`
        WHERE \`connectionId\` = ? AND \`model\` = ? AND \`applicationId\` = ?) AS \`last\` ON \`readOf\` = \`id\` WHERE ${where.sql}`,
    [connectionId, model, tenant.applicationId, ...where.parameters],
  )
  return row
    ? {
        ...row,
        isAutomatic: row.syncMode === 'automatic',
        readAt: Number(row.readAt ?? 0),
        standsUntil: Number(row.standsUntil ?? 0),
      }
    : null
}
