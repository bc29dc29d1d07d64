import { z } from 'zod'
import type { Instant } from '../../../../domain/time.ts'
import type { ProviderApi } from '../../../provider-api.ts'
import { ignoreForbidden } from '../../error-mapping.ts'
import { memoizePerAccount } from '../../../http/memoize.ts'
import { dateOf, daysAfter } from './dates.ts'
import { pageAt, unwrapped } from './pages.ts'

const dated = z.looseObject({ date: z.string() })

/**
 * Whether the last date of a period is part of it, which nobody says. Sums do not show it; logs do, since they have
 * dates: of a day that is over everywhere there are some in a period of it alone, or only in a longer one.
 */
export const isLastDateIncluded = memoizePerAccount(
  async (api: ProviderApi, now: Instant): Promise<boolean> => {
    const date = daysAfter(dateOf(now), -2)
    return (await hasLogs(api, date, date)) || !(await hasLogs(api, date, daysAfter(date, 1)))
  },
)

/** Whoever may not read logs, or has none, is told by periods as most count them. */
async function hasLogs(api: ProviderApi, date: string, last: string): Promise<boolean> {
  const query = { start_date: date, end_date: last }
  const logs = (await pageAt(api, '/v1/logs', query).catch(ignoreForbidden))?.items ?? []
  return logs.some((log) => dated.safeParse(unwrapped(log)).data?.date === date)
}
