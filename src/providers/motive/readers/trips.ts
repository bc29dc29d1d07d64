import { isObject } from '../../../platform/is-object.ts'
import { validate } from '../../mapping/validate.ts'
import type { NormalizedTrip } from '../../../domain/models/trip.ts'
import type { Reader } from '../../provider.ts'
import { toTrip } from '../mappers/events.ts'
import { drivingPeriod } from '../schemas/events.ts'
import { unwrapped } from './paging/pages.ts'
import { hasStartedIn, readPeriodsPage } from './paging/periods.ts'

/** Motive permits 30 days per request. The last date may count as one of them. */
const PERIODS = { paths: ['/v1/driving_periods'], maxDays: 29 }

/** Completed driving periods. Motive has no trips. */
export const trips: Reader<NormalizedTrip> = {
  mode: 'window',
  schema: 'driving_period',
  async read(api, state, window) {
    const { items, next } = await readPeriodsPage(api, state, window, PERIODS)
    const records = items.map(unwrapped).filter((item) => hasEnded(item) && hasStartedIn(item, window))
    return { records, next }
  },
  normalize: (record) => toTrip(validate(drivingPeriod, record)),
}

/** Whether a period has ended. A value that is no period passes, so that the mapping rejects it. */
const hasEnded = (item: unknown): boolean => !isObject(item) || item['id'] == null || item['end_time'] != null
