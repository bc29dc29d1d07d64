import { dateAfter } from '../../../../domain/calendar.ts'
import { z } from 'zod'
import { toInstant } from '../../../../domain/time.ts'
import type { ProviderApi } from '../../../provider-api.ts'
import type { ReaderState, TimeWindow } from '../../../provider.ts'
import { dateOf, earlierOf } from './dates.ts'
import { type ListPage, pageAt, type ListCursor, START } from './pages.ts'

/** List endpoints of events that take a date range of at most `maxDays`. */
interface PeriodLists {
  /** Paths of the endpoints, which are read one after the other. */
  readonly paths: readonly string[]
  readonly maxDays: number
  /**
   * The dates are in the time zone of the fleet, which is unknown here. The range is widened by this offset
   * from UTC.
   */
  readonly maxOffsetHours?: number
}

interface RangeCursor {
  /** Index of the current endpoint. */
  readonly list: number
  /** First date of the current range. */
  readonly from: string
  /** Position in the list of the range. */
  readonly place: ListCursor
}

interface RangePage {
  readonly items: ListPage['items']
  readonly next: ReaderState
}

const HOUR_MS = 3_600_000

/**
 * Reads a page of events in a time range. Motive does not document whether a range includes its last date.
 * Each range therefore ends with the first date of the next range.
 */
export async function readPeriodsPage(
  api: ProviderApi,
  state: ReaderState,
  window: TimeWindow,
  { paths, maxDays, maxOffsetHours = 0 }: PeriodLists,
): Promise<RangePage> {
  const first = dateOf(window.from - maxOffsetHours * HOUR_MS)
  const end = dateAfter(dateOf(window.to - 1 + maxOffsetHours * HOUR_MS), 1)
  const cursor = (state as RangeCursor | null) ?? { list: 0, from: first, place: START }
  const to = earlierOf(dateAfter(cursor.from, maxDays), end)
  const query = { start_date: cursor.from, end_date: to }
  const { items, next } = await pageAt(api, paths[cursor.list] ?? '', query, cursor.place)
  if (next) return { items, next: { ...cursor, place: next } }
  if (to < end) return { items, next: { ...cursor, from: to, place: START } }
  const list = cursor.list + 1
  return { items, next: list < paths.length ? { list, from: first, place: START } : null }
}

const timed = z.looseObject({ start_time: z.string() })

/** Whether an item started in a time range. An item without a valid start passes, so that the mapping reports it. */
export function hasStartedIn(item: unknown, { from, to }: TimeWindow): boolean {
  const { data } = timed.safeParse(item)
  const start = data ? toInstant(data.start_time) : null
  return start === null || (start >= from && start < to)
}
