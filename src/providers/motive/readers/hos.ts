import { z } from 'zod'
import { toInstant } from '../../../domain/time.ts'
import { nestedRecords } from '../../mapping/nested-records.ts'
import { validate } from '../../mapping/validate.ts'
import type { ProviderAdapter } from '../../provider.ts'
import { toHosDailyLog, toHosLog } from '../mappers/hos.ts'
import { dailyLog, logEvent } from '../schemas/hos.ts'
import { unwrapped } from './paging/pages.ts'
import { hasStartedIn, readPeriodsPage } from './paging/periods.ts'

/** The dates of a log are in the time zone of its driver, which is up to 14 hours from UTC. */
const PERIODS = { paths: ['/v1/logs'], maxDays: 7, maxOffsetHours: 14 }

export const hours = {
  HOSLog: {
    mode: 'window',
    // Motive splits events at day boundaries. An edit can change the parts, and former parts must be removed.
    completeBy: 'driver',
    schema: 'log_event',
    async read(api, state, window) {
      const { items, next } = await readPeriodsPage(api, state, window, PERIODS)
      const eventsOf = (log: z.infer<typeof logSchema>) =>
        eventsIn(log).filter(({ event }) => hasStartedIn(event, window))
      return { records: items.flatMap((item) => nestedRecords(logSchema, unwrapped(item), eventsOf)), next }
    },
    normalize: (record) => toHosLog(validate(logEvent, record)),
  },
  HOSDailyLog: {
    mode: 'window',
    schema: 'log',
    async read(api, state, window) {
      const { items, next } = await readPeriodsPage(api, state, window, PERIODS)
      return { records: items.map(unwrapped), next }
    },
    normalize: (record) => toHosDailyLog(validate(dailyLog, record)),
  },
} satisfies ProviderAdapter['readers']

const list = z
  .array(z.unknown())
  .nullish()
  .transform((value) => value ?? [])

const logSchema = z.looseObject({
  driver: z.unknown().optional(),
  vehicles: z.unknown().optional(),
  events: list,
  remarks: z.unknown().optional(),
})

/** Returns the events of a log, each with the remarks written during it. */
function eventsIn({ driver, vehicles, events, remarks }: z.infer<typeof logSchema>) {
  const logEvents = events.map(unwrapped)
  return logEvents.map((event) => ({
    driver,
    vehicles,
    event,
    // A value that is no list stays, so that the sync reports it.
    remarks: Array.isArray(remarks)
      ? remarks.filter((remark) => eventAt(logEvents, timeOf(unwrapped(remark), 'time')) === event)
      : remarks,
  }))
}

/** Finds the latest event that started at or before a time. */
function eventAt(events: readonly unknown[], at: number | null): unknown {
  if (at === null) return undefined
  let found: unknown
  let foundAt = -Infinity
  for (const event of events) {
    const start = timeOf(event, 'start_time')
    if (start === null || start > at || start < foundAt) continue
    found = event
    foundAt = start
  }
  return found
}

function timeOf(item: unknown, name: string): number | null {
  const time = (item as Record<string, unknown> | null)?.[name]
  return typeof time === 'string' ? toInstant(time) : null
}
