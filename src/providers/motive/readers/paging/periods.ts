import { z } from 'zod'
import { toInstant } from '../../../../domain/time.ts'
import type { ProviderApi } from '../../../provider-api.ts'
import type { ReaderState, TimeWindow } from '../../../provider.ts'
import { dateOf, daysAfter, firstOf } from './dates.ts'
import { type ListPage, pageAt, type ListCursor, START } from './pages.ts'

/** Lists of what happened, which are asked for by dates, so many days at once. */
interface Periods {
  /** One list after the other. */
  readonly paths: readonly string[]
  readonly mostDays: number
  /** Whose dates they are may be so many hours from UTC. */
  readonly hoursOff?: number
}

interface Slice {
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
 * A page of what happened in a time. Whether the last date of a period is part of it nobody says: one more is asked for,
 * which is the first of the next period.
 */
export async function readPeriodsPage(
  api: ProviderApi,
  state: ReaderState,
  window: TimeWindow,
  { paths, mostDays, hoursOff = 0 }: Periods,
): Promise<SlicePage> {
  const first = dateOf(window.from - hoursOff * HOUR_MS)
  const end = daysAfter(dateOf(window.to - 1 + hoursOff * HOUR_MS), 1)
  const slice = (state as Slice | null) ?? { list: 0, from: first, place: START }
  const to = firstOf(daysAfter(slice.from, mostDays), end)
  const query = { start_date: slice.from, end_date: to }
  const { items, next } = await pageAt(api, paths[slice.list] ?? '', query, slice.place)
  if (next) return { items, next: { ...slice, place: next } }
  if (to < end) return { items, next: { ...slice, from: to, place: START } }
  const list = slice.list + 1
  return { items, next: list < paths.length ? { list, from: first, place: START } : null }
}

const timed = z.looseObject({ start_time: z.string() })

/** Whether something began in a time. What does not say when is left for the mapping to refuse. */
export function hasStartedIn(item: unknown, { from, to }: TimeWindow): boolean {
  const { data } = timed.safeParse(item)
  const start = data ? toInstant(data.start_time) : null
  return start === null || (start >= from && start < to)
}
