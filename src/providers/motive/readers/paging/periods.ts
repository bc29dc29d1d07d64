import { z } from 'zod'
import { toInstant } from '../../../../domain/time.ts'
import type { ProviderApi } from '../../../provider-api.ts'
import type { ReaderState, TimeWindow } from '../../../provider.ts'
import { dateOf, daysAfter, earlierOf } from './dates.ts'
import { type ListPage, pageAt, type ListCursor, START } from './pages.ts'

/** Lists of events that are requested by date range, with a maximum number of days. */
interface PeriodLists {
  /** Lists, read one after the other. */
  readonly paths: readonly string[]
  readonly maxDays: number
  /** Maximum offset between UTC and the time zone of the dates. */
  readonly maxOffsetHours?: number
}

interface SliceCursor {
  readonly list: number
  readonly from: string
  readonly place: ListCursor
}

interface SlicePage {
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
): Promise<SlicePage> {
  const first = dateOf(window.from - maxOffsetHours * HOUR_MS)
  const end = daysAfter(dateOf(window.to - 1 + maxOffsetHours * HOUR_MS), 1)
  const cursor = (state as SliceCursor | null) ?? { list: 0, from: first, place: START }
  const to = earlierOf(daysAfter(cursor.from, maxDays), end)
  const query = { start_date: cursor.from, end_date: to }
  const { items, next } = await pageAt(api, paths[cursor.list] ?? '', query, cursor.place)
  if (next) return { items, next: { ...cursor, place: next } }
  if (to < end) return { items, next: { ...cursor, from: to, place: START } }
  const list = cursor.list + 1
  return { items, next: list < paths.length ? { list, from: first, place: START } : null }
}

const timed = z.looseObject({ start_time: z.string() })

/** Whether an item started in a time range. Without a start it passes: the mapping rejects it. */
export function hasStartedIn(item: unknown, { from, to }: TimeWindow): boolean {
  const { data } = timed.safeParse(item)
  const start = data ? toInstant(data.start_time) : null
  return start === null || (start >= from && start < to)
}
