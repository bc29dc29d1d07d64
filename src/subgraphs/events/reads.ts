import { PublicError } from '../../errors.ts'
import { firstIdAt, isId } from '../../ids.ts'
import type { Doorbell } from '../../queue/doorbell.ts'
import { LogEntry } from '../../storage/outbox.ts'
import { namedLoader } from '../../storage/loader.ts'
import { listLimits, type Page } from '../../storage/page.ts'
import { tableOf } from '../../storage/table.ts'
import { and, equal, mine, oneOf, type Tenant, type Where } from '../../storage/where.ts'
import type { Clock, Instant } from '../../time.ts'
import type { ReadsFrom } from '../reads.ts'
import { type Resumable, tail } from '../tail.ts'
import { type BodiesFrom, eventBodies, tellsOfConnection } from './event-bodies.ts'
import { checkTypes, nameFor, SHORT_LIVED_MS, storedTypes } from './event-types.ts'
import { eventsTopic } from './topics.ts'

const log = tableOf(LogEntry)

export interface EventFilter {
  readonly types?: readonly string[] | null
  readonly connectionIds?: readonly string[] | null
  readonly after?: string | null
}

export interface EventReadsFrom extends ReadsFrom, BodiesFrom {
  readonly db: ReadsFrom['db']
  readonly clock: Clock
  readonly doorbell: Pick<Doorbell, 'listen'>
}

/** The only door to the event log for the fields of this subgraph, bound to one caller. */
export function eventReads(from: EventReadsFrom, tenant: Tenant) {
  const { db, doorbell, clock } = from
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
      const rows = await entriesAfter(filter, from, size + 1)
      return {
        rows: rows.slice(0, size),
        hasNextPage: rows.length > size,
        hasPreviousPage: from > 0,
        cursorOf: ({ id }) => id,
        count: () => countOf(filter),
      }
    },

    /** Every entry after one, or from now on, in the order of the log: what is stored, then what comes. */
    follow(filter: EventFilter): AsyncIterableIterator<LogEntry> & Resumable {
      checkTypes(filter.types)
      let start: Promise<Place> | undefined
      let position: number | null = null
      const begin = () => (start ??= placeToStart(filter))
      const entries = tail(
        (ear) => doorbell.listen(eventsTopic(tenant.applicationId), ear),
        async () => {
          position ??= (await begin()).position
          const entries = await entriesAfter(filter, position, listLimits.preset)
          position = entries.at(-1)?.position ?? position
          return entries
        },
      )
      return Object.assign(entries, { startsAfter: async () => (await begin()).id })
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

  async function entriesAfter(filter: EventFilter, position: number, limit: number) {
    const where = and(asked(filter), later(position))
    const sql = `SELECT ${log.selected} FROM \`${log.name}\` WHERE ${where.sql} ORDER BY \`position\` LIMIT ${limit}`
    const rows = await db.rows<Record<string, unknown>>(sql, where.parameters)
    return rows.map((row) => named(log.toRow(row), filter))
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

  async function placeToStart({ after }: EventFilter): Promise<Place> {
    if (after != null) return { id: after, position: await positionOf(after) }
    const where = and(mine(tenant), later(0))
    const [newest] = await db.rows<{ id: string; position: number }>(
      `SELECT \`id\`, \`position\` FROM \`${log.name}\` WHERE ${where.sql} ORDER BY \`position\` DESC LIMIT 1`,
      where.parameters,
    )
    return newest ? { id: newest.id, position: Number(newest.position) } : { id: null, position: 0 }
  }
}

/** The type by the name that it was asked for. */
const named = (entry: LogEntry, { types }: EventFilter): LogEntry => ({
  ...entry,
  type: nameFor(types, entry.type) ?? entry.type,
})

/** An event that is young is in the log, if there ever was one; of an older one nobody can tell any more. */
function noSuchEvent(id: string, now: Instant): PublicError {
  if (!isId('event', id) || id >= firstIdAt('event', now - SHORT_LIVED_MS))
    return refused('after', 'There is no event with this id in the log.')
  return new PublicError('gone', 'The log no longer goes back to this event.', {
    detail:
      'What came between is lost to a reader of events: read the lists with `modifiedAfter`, or anew, and follow the log from its beginning, without `after`.',
  })
}

/** A place in the log: after an event, or before all. */
interface Place {
  readonly id: string | null
  readonly position: number
}

const later = (position: number): Where => ({ sql: '`position` > ?', parameters: [position] })

const refused = (name: string, message: string) =>
  new PublicError('bad_request', message, { detail: [{ message, path: name }] })

export type EventReads = ReturnType<typeof eventReads>

export interface EventsContext {
  readonly events: EventReads
}
