import { PublicError } from '../../errors.ts'
import { firstIdAt, isId } from '../../ids.ts'
import type { Doorbell } from '../../queue/doorbell.ts'
import { LogEntry } from '../../storage/outbox.ts'
import { namedLoader } from '../../storage/loader.ts'
import { listLimits, type Page } from '../../storage/page.ts'
import { tableOf } from '../../storage/table.ts'
import { and, equal, isMine, mine, oneOf, type Tenant, type Where } from '../../storage/where.ts'
import type { Clock, Instant } from '../../time.ts'
import type { ReadsFrom } from '../reads.ts'
import type { Followed } from '../followed.ts'
import { type BodiesFrom, eventBodies, tellsOfConnection } from './event-bodies.ts'
import { checkTypes, nameFor, SHORT_LIVED_MS, storedTypes } from './event-types.ts'
import { LiveLogs, type Place, type Placed } from './live-log.ts'
import { LogFollower } from './log-follower.ts'
import { eventsTopic } from './topics.ts'

const log = tableOf(LogEntry)

export interface EventFilter {
  readonly types?: readonly string[] | null
  readonly connectionIds?: readonly string[] | null
  readonly after?: string | null
}

export interface EventReadsFrom extends BodiesFrom {
  readonly db: ReadsFrom['db']
  readonly clock: Clock
  readonly liveLogs: LiveLogs
}

interface LiveLogsFrom extends Pick<ReadsFrom, 'db'> {
  readonly doorbell: Pick<Doorbell, 'listen'>
  readonly log?: { warn(fields: object, message: string): void }
}

/** The live logs of a process: one for all that it reads events for. */
export const liveLogsOver = ({ db, doorbell, log: lines }: LiveLogsFrom, lookMs?: number): LiveLogs =>
  new LiveLogs((applicationId) => {
    const owner = { sql: '`applicationId` = ?', parameters: [applicationId] }
    return {
      newest: () => newestOf(db, owner),
      entriesAfter: (position, limit) => entriesOf(db, and(owner, later(position)), limit),
      listen: (ear) => doorbell.listen(eventsTopic(applicationId), ear),
      onTrouble: (err) => lines?.warn({ err, applicationId }, 'the event log cannot be read'),
    }
  }, lookMs)

/** The only door to the event log for the fields of this subgraph, bound to one caller. */
export function eventReads(from: EventReadsFrom, tenant: Tenant) {
  const { db, liveLogs, clock } = from
  const details = namedLoader('details of events', async (entries: readonly LogEntry[]) =>
    (await eventBodies(from, entries, null)).map(({ detail }) => detail),
  )
  return {
    /** What a webhook of it carries. All but connections say it by themselves. */
    detailOf: (entry: LogEntry): unknown => (tellsOfConnection(entry) ? details.load(entry) : entry.detail),

    async page(filter: EventFilter, first: number | null): Promise<Page<LogEntry>> {
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
    follow(filter: EventFilter): Followed<LogEntry> {
      checkTypes(filter.types)
      const { after } = filter
      const [types, connections] = [new Set(storedTypes(filter.types)), setOf(filter.connectionIds)]
      return new LogFollower(liveLogs.of(tenant.applicationId), {
        start: after == null ? null : async () => ({ id: after, position: await positionOf(after) }),
        stored: (position, upTo, limit) =>
          entriesOf(db, and(asked(filter), later(position), upToPosition(upTo)), limit),
        wants: (entry) =>
          isMine(tenant, entry) && types.has(entry.type) && (connections?.has(entry.connectionId) ?? true),
        named: (entry) => named(entry, filter),
      })
    },
  }

  function asked({ types, connectionIds }: EventFilter): Where {
    return and(mine(tenant), oneOf('type', storedTypes(types)), oneOf('connectionId', connectionIds))
  }

  async function countOf(filter: EventFilter): Promise<number> {
    const where = and(asked(filter), later(0))
    const sql = `SELECT COUNT(*) AS total FROM \`${log.name}\` WHERE ${where.sql}`
    const [row] = await db.rows<{ total: number }>(sql, where.parameters)
    return Number(row?.total)
  }

  async function positionOf(id: string): Promise<number> {
    const where = and(mine(tenant), equal('id', id))
    const [entry] = await db.rows<{ position: number | null }>(
      `SELECT \`position\` FROM \`${log.name}\` WHERE ${where.sql}`,
      where.parameters,
    )
    if (entry?.position == null) throw noSuchEvent(id, clock.now())
    return Number(entry.position)
  }
}

type Database = ReadsFrom['db']

async function entriesOf(db: Database, where: Where, limit: number): Promise<Placed[]> {
  const sql = `SELECT ${log.selected} FROM \`${log.name}\` WHERE ${where.sql} ORDER BY \`position\` LIMIT ${limit}`
  const rows = await db.rows<Record<string, unknown>>(sql, where.parameters)
  return rows.map((row) => log.toRow(row) as Placed)
}

async function newestOf(db: Database, whose: Where): Promise<Place> {
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
function named<Entry extends LogEntry>(entry: Entry, { types }: EventFilter): Entry {
  const name = nameFor(types, entry.type) ?? entry.type
  if (name === entry.type) return entry
  const known = renamed.get(entry)
  if (known?.type === name) return known as Entry
  const made = { ...entry, type: name }
  renamed.set(entry, made)
  return made
}

const renamed = new WeakMap<LogEntry, LogEntry>()

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

export type EventReads = ReturnType<typeof eventReads>

export interface EventsContext {
  readonly events: EventReads
}
