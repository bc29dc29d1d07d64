import { PublicError } from '../../domain/errors.ts'
import { firstIdAt, isId } from '../../domain/ids.ts'
import type { Notifier } from '../../queue/notifier.ts'
import { EventRow } from '../../storage/outbox.ts'
import { createNamedLoader } from '../../storage/loaders/batch-loader.ts'
import { listLimits, type Page } from '../../storage/pagination/pagination.ts'
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
import { type PayloadDeps, buildEventPayloads, tellsOfConnection } from './event-payloads.ts'
import { checkTypes, nameFor, SHORT_LIVED_MS, storedTypes } from './event-types.ts'
import { EventLogCaches, type LogPosition, type PositionedEvent } from './event-log-cache.ts'
import { EventLogReader } from './event-log-reader.ts'
import { eventsTopic } from './topics.ts'

const log = tableOf(EventRow)

export interface EventFilter {
  readonly types?: readonly string[] | null
  readonly connectionIds?: readonly string[] | null
  readonly after?: string | null
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

/** The live logs of a process: one for all that it reads events for. */
export const createEventLogCaches = (
  { db, notifier, log: lines }: LogCacheDeps,
  pollMs?: number,
): EventLogCaches =>
  new EventLogCaches((applicationId) => {
    const owner = { sql: '`applicationId` = ?', parameters: [applicationId] }
    return {
      newest: () => newestOf(db, owner),
      entriesAfter: (position, limit) => entriesOf(db, and(owner, later(position)), limit),
      subscribe: (listener) => notifier.subscribe(eventsTopic(applicationId), listener),
      onTrouble: (err) => lines?.warn({ err, applicationId }, 'the event log cannot be read'),
    }
  }, pollMs)

/** The only door to the event log for the fields of this subgraph, bound to one caller. */
export function eventRepository(deps: EventRepositoryDeps, tenant: Tenant) {
  const { db, logCaches, clock } = deps
  const details = createNamedLoader('details of events', async (entries: readonly EventRow[]) =>
    (await buildEventPayloads(deps, entries, null)).map(({ detail }) => detail),
  )
  return {
    /** What a webhook of it carries. All but connections say it by themselves. */
    detailOf: (entry: EventRow): unknown => (tellsOfConnection(entry) ? details.load(entry) : entry.detail),

    async page(filter: EventFilter, first: number | null): Promise<Page<EventRow>> {
      checkTypes(filter.types)
      if (first !== null && first < 1) throw refused('first', '`first` must be a whole number from 1 up.')
      const size = Math.min(first ?? listLimits.preset, listLimits.maximum)
      const from = filter.after == null ? 0 : await positionOf(filter.after)
      const rows = await entriesOf(db, and(asked(filter), later(from)), size + 1)
      return {
        rows: rows.slice(0, size).map((entry) => named(entry, filter)),
        hasNextPage: rows.length > size,
        hasPreviousPage: from > 0,
        cursorOf: ({ id }) => id,
        count: () => countOf(filter),
      }
    },

    /** Every entry after one, or from now on, in the order of the log: what is stored, then what comes. */
    follow(filter: EventFilter): SharedStream<EventRow> {
      checkTypes(filter.types)
      const { after } = filter
      const [types, connections] = [new Set(storedTypes(filter.types)), setOf(filter.connectionIds)]
      return new EventLogReader(logCaches.of(tenant.applicationId), {
        start: after == null ? null : async () => ({ id: after, position: await positionOf(after) }),
        stored: (position, upTo, limit) =>
          entriesOf(db, and(asked(filter), later(position), upToPosition(upTo)), limit),
        wants: (entry) =>
          isInTenant(tenant, entry) &&
          types.has(entry.type) &&
          (connections?.has(entry.connectionId) ?? true),
        named: (entry) => named(entry, filter),
      })
    },
  }

  function asked({ types, connectionIds }: EventFilter): Where {
    return and(tenantWhere(tenant), oneOf('type', storedTypes(types)), oneOf('connectionId', connectionIds))
  }

  async function countOf(filter: EventFilter): Promise<number> {
    const where = and(asked(filter), later(0))
    const sql = `SELECT COUNT(*) AS total FROM \`${log.name}\` WHERE ${where.sql}`
    const [row] = await db.rows<{ total: number }>(sql, where.parameters)
    return Number(row?.total)
  }

  async function positionOf(id: string): Promise<number> {
    const where = and(tenantWhere(tenant), equal('id', id))
    const [entry] = await db.rows<{ position: number | null }>(
      `SELECT \`position\` FROM \`${log.name}\` WHERE ${where.sql}`,
      where.parameters,
    )
    if (entry?.position == null) throw noSuchEvent(id, clock.now())
    return Number(entry.position)
  }
}

type Database = RepositoryDeps['db']

async function entriesOf(db: Database, where: Where, limit: number): Promise<PositionedEvent[]> {
  const sql = `SELECT ${log.selected} FROM \`${log.name}\` WHERE ${where.sql} ORDER BY \`position\` LIMIT ${limit}`
  const rows = await db.rows<Record<string, unknown>>(sql, where.parameters)
  return rows.map((row) => log.toRow(row) as PositionedEvent)
}

async function newestOf(db: Database, whose: Where): Promise<LogPosition> {
  const where = and(whose, later(0))
  const [newest] = await db.rows<{ id: string; position: number }>(
    `SELECT \`id\`, \`position\` FROM \`${log.name}\` WHERE ${where.sql} ORDER BY \`position\` DESC LIMIT 1`,
    where.parameters,
  )
  return newest ? { id: newest.id, position: Number(newest.position) } : { id: null, position: 0 }
}

const setOf = (values: readonly string[] | null | undefined): ReadonlySet<string> | null =>
  values ? new Set(values) : null

/** The type by the name that it was asked for: for the same name the same object. */
function named<Entry extends EventRow>(entry: Entry, { types }: EventFilter): Entry {
  const name = nameFor(types, entry.type) ?? entry.type
  if (name === entry.type) return entry
  const known = renamed.get(entry)
  if (known?.type === name) return known as Entry
  const made = { ...entry, type: name }
  renamed.set(entry, made)
  return made
}

const renamed = new WeakMap<EventRow, EventRow>()

/** An event that is young is in the log, if there ever was one; of an older one nobody can tell any more. */
function noSuchEvent(id: string, now: Instant): PublicError {
  if (!isId('event', id) || id >= firstIdAt('event', now - SHORT_LIVED_MS))
    return refused('after', 'There is no event with this id in the log.')
  return new PublicError('gone', 'The log no longer goes back to this event.', {
    detail:
      'What came between is lost to a reader of events: read the lists with `modifiedAfter`, or anew, and follow the log from its beginning, without `after`.',
  })
}

const later = (position: number): Where => ({ sql: '`position` > ?', parameters: [position] })
const upToPosition = (position: number): Where => ({ sql: '`position` <= ?', parameters: [position] })

const refused = (name: string, message: string) =>
  new PublicError('bad_request', message, { detail: [{ message, path: name }] })

export type EventRepository = ReturnType<typeof eventRepository>

export interface EventsContext {
  readonly events: EventRepository
}
