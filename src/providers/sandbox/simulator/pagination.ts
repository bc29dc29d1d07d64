import { limitOf } from './query-params.ts'
import type { Period, TimeOrdered } from './records/time-ordered.ts'
import { badRequest } from './http-error.ts'

export interface Page<T> {
  data: T[]
  /** Cursor of the next page; null on the last. */
  cursor: string | null
}

/** First record of a page: its index, or the index of its vehicle or driver and its time. */
interface Start {
  index: number
  /** 0 in a list without times. */
  timeMs: number
}

/**
 * Largest number of vehicles or drivers that one page reads. A large fleet with few records in the period thus
 * has several short pages.
 */
const MAX_INDEXES_PER_PAGE = 10_000

/** Returns a page of a list in the order of indexes. An index without a record is left out. */
export function pageByIndex<T>(
  list: string,
  query: URLSearchParams,
  count: number,
  read: (index: number) => T | undefined,
): Page<T> {
  const limit = limitOf(query)
  let { index } = startOf(list, query)
  const data: T[] = []
  for (; index < count && data.length < limit; index++) {
    const record = read(index)
    if (record !== undefined) data.push(record)
  }
  return { data, cursor: index < count ? cursorOf(list, { index, timeMs: 0 }) : null }
}

/** Vehicles or drivers from `first` to before `end`, with their records in a period. */
export interface TimedList<T> {
  readonly first: number
  readonly end: number
  readonly period: Period
  /**
   * Returns the records of a vehicle or driver, in the order of time. It may leave out records before `resumeMs`,
   * which were on an earlier page.
   */
  read(index: number, period: Period, resumeMs: number): Iterable<TimeOrdered<T>>
}

/**
 * Returns a page of a list in the order of vehicles or drivers, then of time. Any page may have fewer records
 * than the limit, or none; only the last one has no cursor.
 */
export function pageByTime<T>(list: string, query: URLSearchParams, timed: TimedList<T>): Page<T> {
  const limit = limitOf(query)
  const start = startOf(list, query)
  const first = Math.max(start.index, timed.first)
  const end = Math.min(timed.end, first + MAX_INDEXES_PER_PAGE)
  const data: T[] = []
  for (let index = first; index < end; index++) {
    const resumeMs = index === start.index ? start.timeMs : 0
    for (const { timeMs, record } of timed.read(index, timed.period, resumeMs)) {
      if (timeMs < resumeMs) continue
      if (data.length === limit) return { data, cursor: cursorOf(list, { index, timeMs }) }
      data.push(record)
    }
  }
  return { data, cursor: end < timed.end ? cursorOf(list, { index: end, timeMs: 0 }) : null }
}

function cursorOf(list: string, { index, timeMs }: Start): string {
  return Buffer.from(`${list}:${index}:${timeMs}`).toString('base64url')
}

/** Returns the start of the requested page. Throws for an invalid cursor, and for one of another list. */
function startOf(list: string, query: URLSearchParams): Start {
  const cursor = query.get('cursor')
  if (cursor === null) return { index: 0, timeMs: 0 }
  const text = Buffer.from(cursor, 'base64url').toString()
  const [, name, index, timeMs] = /^(.+):(\d{1,6}):(\d{1,15})$/.exec(text) ?? []
  if (name !== list)
    throw badRequest('cursor is not valid for this list: send the cursor of its previous page')
  return { index: Number(index), timeMs: Number(timeMs) }
}
