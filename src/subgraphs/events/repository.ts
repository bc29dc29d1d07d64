import { invalidArgument, PublicError } from '../../domain/errors.ts'
import { checkIds } from '../schema/id-arguments.ts'
import { firstIdAt, isId } from '../../domain/ids.ts'
import type { Notifier } from '../../queue/notifier.ts'
import { EventRow } from '../../storage/outbox.ts'
import { createNamedLoader } from '../../storage/loaders/batch-loader.ts'
import { orderByKeys } from '../../storage/loaders/order-by-keys.ts'
import { listLimits, type Page, requestedSize } from '../../storage/pagination/pagination.ts'
import { tableOf } from '../../storage/sql/table.ts'
import {
  and,
  equal,
  isInTenant,
  tenantWhere,
  oneOf,
  type Tenant,
  type Where,
} from '../../storage/sql/where.ts'
import type { Clock, Instant } from '../../domain/time.ts'
import type { RepositoryDeps } from '../schema/repository-deps.ts'
import type { SharedStream } from '../streams/shared-stream.ts'
import { type PayloadDeps, buildEventPayloads, isConnectionEvent } from './event-payloads.ts'
import { checkTypes, nameFor, SHORT_LIVED_MS, storedTypes } from './event-types.ts'
import { EventLogCaches, type LogPosition, type PositionedEvent } from './event-log-cache.ts'
import { EventLogReader } from './event-log-reader.ts'
import { eventsTopic } from './topics.ts'

const eventTable = tableOf(EventRow)

export interface EventFilter {
  readonly types?: readonly string[] | null
  readonly connectionIds?: readonly string[] | null
  readonly after?: string | null
}

export interface EventPageFilter extends EventFilter {
  readonly first?: number | null
  readonly last?: number | null
  readonly before?: string | null
}

export interface EventRepositoryDeps extends PayloadDeps {
  readonly db: RepositoryDeps['db']
  readonly clock: Clock
  readonly logCaches: EventLogCaches
}

interface LogCacheDeps extends Pick<RepositoryDeps, 'db'> {
  readonly notifier: Pick<Notifier, 'subscribe'>
  readonly log?: { warn(fields: object, message: string): void }
}

/** Creates the log caches of a process. All event readers of the process share them. */
export const createEventLogCaches = (
  { db, notifier, log: logger }: LogCacheDeps,
  pollMs?: number,
): EventLogCaches =>
  new EventLogCaches((applicationId) => {
    const ofApplication = { sql: '`applicationId` = ?', parameters: [applicationId] }
    return {
      newest: () => newestOf(db, ofApplication),
      entriesAfter: (position, limit) => entriesOf(db, and(ofApplication, afterPosition(position)), limit),
      subscribe: (listener) => notifier.subscribe(eventsTopic(applicationId), listener),
      onReadError: (err) => logger?.warn({ err, applicationId }, 'event log read failed'),
    }
  }, pollMs)

/** Repository of the event log for one caller. All fields of this subgraph read the log through it. */
export function eventRepository(deps: EventRepositoryDeps, tenant: Tenant) {
  const { db, logCaches, clock } = deps
  const details = createNamedLoader('details of events', async (entries: readonly EventRow[]) =>
    (await buildEventPayloads(deps, entries, null)).map(({ detail }) => detail),
  )
  return {
    /** Returns the detail that webhooks deliver. Only connection events need a query. */
    detailOf: (entry: EventRow): unknown => (isConnectionEvent(entry) ? details.load(entry) : entry.detail),

    /** Reads an event by its id. */
    event: createNamedLoader('events by id', async (ids: readonly string[]) => {
      const where = and(tenantWhere(tenant), oneOf('id', ids), afterPosition(0))
      return orderByKeys(ids, await entriesOf(db, where, ids.length), ({ id }) => id)
    }),

    async page(filter: EventPageFilter): Promise<Page<EventRow>> {
      checkFilter(filter)
      const size = requestedSize(filter, listLimits)
      const backward = filter.last != null
      const from = filter.after == null ? 0 : await positionOf(filter.after, 'after')
      const to = filter.before == null ? null : await positionOf(filter.before, 'before')
      const where = and(filterWhere(filter), afterPosition(from), to === null ? null : beforePosition(to))
      const read = await entriesOf(db, where, size + 1, backward ? 'DESC' : 'ASC')
      const rows = read.slice(0, size).map((entry) => withRequestedType(entry, filter))
      const hasMore = read.length > size
      return {
        rows: backward ? rows.reverse() : rows,
        hasNextPage: backward ? to !== null : hasMore,
        hasPreviousPage: backward ? hasMore : from > 0,
        cursorOf: ({ id }) => id,
        count: () => countOf(filter),
      }
    },

    /**
     * Streams entries in log order: those after the entry `after` and then new ones, or only new ones without `after`.
     */
    follow(filter: EventFilter): SharedStream<EventRow> {
      checkFilter(filter)
      const { after } = filter
      const [types, connections] = [new Set(storedTypes(filter.types)), setOf(filter.connectionIds)]
      return new EventLogReader(logCaches.of(tenant.applicationId), {
        start: after == null ? null : async () => ({ id: after, position: await positionOf(after, 'after') }),
        readStored: (position, upTo, limit) =>
          entriesOf(db, and(filterWhere(filter), afterPosition(position), upToPosition(upTo)), limit),
        matches: (entry) =>
          isInTenant(tenant, entry) &&
          types.has(entry.type) &&
          (connections?.has(entry.connectionId) ?? true),
        withRequestedType: (entry) => withRequestedType(entry, filter),
      })
    },
  }

  function filterWhere({ types, connectionIds }: EventFilter): Where {
    return and(tenantWhere(tenant), oneOf('type', storedTypes(types)), oneOf('connectionId', connectionIds))
  }

  async function countOf(filter: EventFilter): Promise<number> {
    const where = and(filterWhere(filter), afterPosition(0))
    const sql = `SELECT COUNT(*) AS total FROM \`${eventTable.name}\` WHERE ${where.sql}`
    const [row] = await db.rows<{ total: number }>(sql, where.parameters)
    return Number(row?.total)
  }

  async function positionOf(id: string, argument: 'after' | 'before'): Promise<number> {
    const where = and(tenantWhere(tenant), equal('id', id))
    const [entry] = await db.rows<{ position: number | null }>(
      `SELECT \`position\` FROM \`${eventTable.name}\` WHERE ${where.sql}`,
      where.parameters,
    )
    if (entry?.position == null) throw eventNotFoundError(id, argument, clock.now())
    return Number(entry.position)
  }
}

type Database = RepositoryDeps['db']

async function entriesOf(
  db: Database,
  where: Where,
  limit: number,
  order: 'ASC' | 'DESC' = 'ASC',
): Promise<PositionedEvent[]> {
  const sql = `SELECT ${eventTable.selected} FROM \`${eventTable.name}\` WHERE ${where.sql} ORDER BY \`position\` ${order} LIMIT ${limit}`
  const rows = await db.rows<Record<string, unknown>>(sql, where.parameters)
  return rows.map((row) => eventTable.toRow(row) as PositionedEvent)
}

async function newestOf(db: Database, scope: Where): Promise<LogPosition> {
  const where = and(scope, afterPosition(0))
  const [newest] = await db.rows<{ id: string; position: number }>(
    `SELECT \`id\`, \`position\` FROM \`${eventTable.name}\` WHERE ${where.sql} ORDER BY \`position\` DESC LIMIT 1`,
    where.parameters,
  )
  return newest ? { id: newest.id, position: Number(newest.position) } : { id: null, position: 0 }
}

function checkFilter({ types, connectionIds }: EventFilter): void {
  checkTypes(types)
  checkIds('connection', connectionIds)
}

const setOf = (values: readonly string[] | null | undefined): ReadonlySet<string> | null =>
  values ? new Set(values) : null

/**
 * Returns the entry with its requested type name. Repeated calls with one name return the same object, so equal
 * subscriptions can share results.
 */
function withRequestedType<Entry extends EventRow>(entry: Entry, { types }: EventFilter): Entry {
  const name = nameFor(types, entry.type) ?? entry.type
  if (name === entry.type) return entry
  const cached = renamed.get(entry)
  if (cached?.type === name) return cached as Entry
  const copy = { ...entry, type: name }
  renamed.set(entry, copy)
  return copy
}

const renamed = new WeakMap<EventRow, EventRow>()

/**
 * Creates the error for an unknown event id. The log still has all events of the last day, so an unknown id of that day
 * never existed. An older event may have been deleted.
 */
function eventNotFoundError(id: string, argument: 'after' | 'before', now: Instant): PublicError {
  if (!isId('event', id) || id >= firstIdAt('event', now - SHORT_LIVED_MS))
    return invalidArgument(argument, 'There is no event with this id in the log.')
  return new PublicError('gone', 'The log no longer contains this event.', {
    detail:
      'Later events may be deleted too. Read the lists with `modifiedAfter`, or completely. Then read the log from its beginning, without `after`.',
  })
}

const afterPosition = (position: number): Where => ({ sql: '`position` > ?', parameters: [position] })
const beforePosition = (position: number): Where => ({ sql: '`position` < ?', parameters: [position] })
const upToPosition = (position: number): Where => ({ sql: '`position` <= ?', parameters: [position] })

export type EventRepository = ReturnType<typeof eventRepository>

export interface EventsContext {
  readonly events: EventRepository
}
