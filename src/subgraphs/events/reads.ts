import { PublicError } from '../../errors.ts'
import type { Doorbell } from '../../queue/doorbell.ts'
import { LogEntry } from '../../storage/outbox.ts'
import { listLimits, type Page } from '../../storage/page.ts'
import { tableOf } from '../../storage/table.ts'
import { and, equal, mine, oneOf, type Tenant, type Where } from '../../storage/where.ts'
import type { ReadsFrom } from '../reads.ts'
import { type Resumable, tail } from '../tail.ts'
import { eventsTopic } from './topics.ts'

const log = tableOf(LogEntry)

export interface EventFilter {
  readonly types?: readonly string[] | null
  readonly connectionIds?: readonly string[] | null
  readonly after?: string | null
}

export interface EventReadsFrom extends ReadsFrom {
  readonly doorbell: Pick<Doorbell, 'listen'>
}

/** The only door to the event log for the fields of this subgraph, bound to one caller. */
export function eventReads({ db, doorbell }: EventReadsFrom, tenant: Tenant) {
  return {
    async page(filter: EventFilter, first: number | null): Promise<Page<LogEntry>> {
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
    return and(mine(tenant), oneOf('type', types), oneOf('connectionId', connectionIds))
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
    return (await db.rows<Record<string, unknown>>(sql, where.parameters)).map((row) => log.toRow(row))
  }

  async function positionOf(id: string): Promise<number> {
    const where = and(mine(tenant), equal('id', id))
    const [entry] = await db.rows<{ position: number | null }>(
      `SELECT \`position\` FROM \`${log.name}\` WHERE ${where.sql}`,
      where.parameters,
    )
    if (entry?.position == null) throw refused('after', 'There is no event with this id in the log.')
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
