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
import { withPublicErrors, requireConnected } from './provider-calls.ts'

/** Dependencies of reads of latest states. */
export interface LatestDeps {
  readonly db: ReadDatabase
  /** Primary database for reads that must not be stale. Default: `db`. */
  readonly primary?: ReadDatabase
  readonly registry: Registry
  readonly clock: Clock
  /** Polls the provider of a connection and stores the result. Concurrent callers share one poll. */
  pollOnDemand(connection: OwnedConnection, model: LatestModel): Promise<void>
}

/** A connection and its application. */
export interface OwnedConnection {
  readonly connectionId: Id<'connection'>
  readonly applicationId: Id<'application'>
}

/**
 * Creates a function that lists latest states for one caller. While the last scheduled poll of the connection is valid,
 * the list contains the stored states. Otherwise a request for the first page polls the provider, unless a poll has
 * just ended; requests for later pages get the states that this poll stored. A caller with several connections gets the
 * stored states, so that one unavailable provider does not fail the whole list.
 */
export function createLatestLists(
  { db, primary = db, registry, clock, pollOnDemand }: LatestDeps,
  tenant: Tenant,
) {
  return async <T>(
    model: LatestModel,
    page: PageRequest,
    readPageFrom: (database: ReadDatabase) => Promise<T>,
  ): Promise<T> => {
    const connectionId = onlyConnectionOf(tenant)
    const lastPoll = connectionId && (await findLastPoll(primary, tenant, connectionId, model))
    if (!connectionId || !lastPoll) return readPageFrom(db)
    requireConnected(lastPoll.status)
    const now = clock.now()
    if (lastPoll.isAutomatic && lastPoll.standsUntil > now) return readPageFrom(db)
    if (isFirstPage(page) && !isShareable(lastPoll.readAt, now)) {
      if (registry.find(lastPoll.provider)?.latest[model])
        await withPublicErrors(pollOnDemand({ connectionId, applicationId: tenant.applicationId }, model))
      else if (!emptyIfUnsupported.has(model)) throw unsupportedModelError()
    }
    // A replica may lag behind the poll.
    return readPageFrom(primary)
  }
}

/** Models whose list is empty if the provider does not support them. Lists of other models fail with an error. */
const emptyIfUnsupported: ReadonlySet<LatestModel> = new Set(['LatestTrailerLocation'])

const unsupportedModelError = () =>
  new PublicError('not_implemented', 'Odograph does not read these records from this provider.')

const isFirstPage = ({ after, before }: PageRequest): boolean => after == null && before == null

/** Connection with its last poll of one model. */
interface LastPoll {
  readonly status: string
  readonly provider: string
  /** Whether the connection has automatic sync. Only then can it be polled by schedule. */
  readonly isAutomatic: boolean
  /** End of the last completed poll; 0 before the first. */
  readonly readAt: Instant
  /** Until this time, the last scheduled poll is valid; 0 if there is none. */
  readonly standsUntil: Instant
}

interface Row {
  readonly status: string
  readonly provider: string
  readonly syncMode: string
  readonly readAt: Instant | null
  readonly standsUntil: Instant | null
}

/** Finds a connection with its last poll of a model. Null if the caller has no such connection. */
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
