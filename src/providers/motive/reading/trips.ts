import { checked } from '../../checked.ts'
import type { TripDraft } from '../../drafts.ts'
import type { Reader } from '../../provider.ts'
import { toTrip } from '../drafts/happenings.ts'
import { drivingPeriod } from '../records/happenings.ts'
import { unwrapped } from './pages.ts'
import { isBegunIn, pageOfPeriods } from './periods.ts'

/** Thirty days at once are the most, and the last date may be one of them. */
const PERIODS = { paths: ['/v1/driving_periods'], mostDays: 29 }

/** Driving that has ended. There are no trips at Motive. */
export const trips: Reader<TripDraft> = {
  mode: 'window',
  schema: 'driving_period',
  async read(api, state, window) {
    const { items, next } = await pageOfPeriods(api, state, window, PERIODS)
    const records = items.map(unwrapped).filter((item) => hasEnded(item) && isBegunIn(item, window))
    return { records, next }
  },
  toDraft: (record) => toTrip(checked(drivingPeriod, record)),
}

const hasEnded = (item: unknown): boolean => (item as { end_time?: unknown } | null)?.end_time != null
