import { dateAfter } from '../../../../domain/calendar.ts'
import { z } from 'zod'
import type { Instant } from '../../../../domain/time.ts'
import type { ProviderApi } from '../../../provider-api.ts'
import { ignoreForbidden } from '../../error-mapping.ts'
import { memoizePerAccount } from '../../../http/memoize.ts'
import { dateOf } from './dates.ts'
import { pageAt, unwrapped } from './pages.ts'

const dated = z.looseObject({ date: z.string() })

/**
 * Whether Motive includes the last date of a date range; its documentation does not say. The totals of drivers and
 * vehicles have no dates, so they cannot show it. The daily logs of drivers have dates. The probe requests the logs of
 * one day that is over in every time zone. The last date is excluded if only a range to the next day returns them.
 * Without logs or permission, it counts as included.
 */
export const isLastDateIncluded = memoizePerAccount(
  async (api: ProviderApi, now: Instant): Promise<boolean> => {
    const date = dateAfter(dateOf(now), -2)
    return (await hasLogs(api, date, date)) || !(await hasLogs(api, date, dateAfter(date, 1)))
  },
)

/** Whether the range from the date to `last` returns logs of the date. */
async function hasLogs(api: ProviderApi, date: string, last: string): Promise<boolean> {
  const query = { start_date: date, end_date: last }
  const logs = (await pageAt(api, '/v1/logs', query).catch(ignoreForbidden))?.items ?? []
  return logs.some((log) => dated.safeParse(unwrapped(log)).data?.date === date)
}
