import { z } from 'zod'
import { toInstant, toIso } from '../../../time.ts'
import type { ProviderApi } from '../../api.ts'
import { checked } from '../../checked.ts'
import type { ProviderAdapter, ReaderState, ReadPage, Window } from '../../provider.ts'
import { toHosDailyLog, toHosLog } from '../drafts/hos.ts'
import { dailyLog, log } from '../records/hos.ts'
import { datesOf } from './dates.ts'
import { pageAt, pageOfLists } from './pages.ts'

export const hours = {
  HOSLog: {
    mode: 'window',
    // Drivers edit their logs: one that began at another time after all has another key.
    isWholeByDriver: true,
    schema: 'hos_log',
    read: logs,
    toDraft: (record) => toHosLog(checked(log, record)),
  },
  HOSDailyLog: {
    mode: 'window',
    schema: 'hos_daily_log',
    async read(api, state, window) {
      const [startDate = '', endDate = ''] = [datesOf(window).at(0), datesOf(window).at(-1)]
      const queries = ['active', 'deactivated'].map((driverActivationStatus) => ({
        startDate,
        endDate,
        driverActivationStatus,
      }))
      const { records, next } = await pageOfLists(api, state, '/fleet/hos/daily-logs', queries)
      return { records, next }
    },
    toDraft: (record) => toHosDailyLog(checked(dailyLog, record)),
  },
} satisfies ProviderAdapter['readers']

const ofDriver = z.looseObject({ driver: z.unknown(), hosLogs: z.array(z.unknown()) })

/** A page is of drivers, each with the logs that reach into the time. */
async function logs(api: ProviderApi, state: ReaderState, { from, to }: Window): Promise<ReadPage> {
  const after = (state as { after: string } | null)?.after ?? null
  const asked = { startTime: toIso(from), endTime: toIso(to) }
  const page = await pageAt(api, '/fleet/hos/logs', asked, after)
  const records = page.records.flatMap((one) => {
    const { driver, hosLogs } = checked(ofDriver, one)
    return hosLogs.map((log) => ({ driver, log, isOpen: isOpen(log, to) }))
  })
  return { records, next: page.isLast ? null : { after: page.endCursor } }
}

const ending = z.looseObject({ logEndTime: z.string() })

/** A log that lasts has no end, or one that is still to come. */
function isOpen(log: unknown, now: number): boolean {
  const { data } = ending.safeParse(log)
  return !data || (toInstant(data.logEndTime) ?? 0) > now
}
