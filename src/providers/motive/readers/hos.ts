import { z } from 'zod'
import { toInstant } from '../../../domain/time.ts'
import { validate } from '../../mapping/validate.ts'
import type { ProviderAdapter } from '../../provider.ts'
import { toHosDailyLog, toHosLog } from '../mappers/hos.ts'
import { dailyLog, logEvent } from '../schemas/hos.ts'
import { unwrapped } from './paging/pages.ts'
import { hasStartedIn, readPeriodsPage } from './paging/periods.ts'

/** The dates of a log are of the zone of its driver. */
const PERIODS = { paths: ['/v1/logs'], mostDays: 7, hoursOff: 14 }

export const hours = {
  HOSLog: {
    mode: 'window',
    // What a driver edits is cut anew at the ends of days: pieces come, and others are gone.
    wholeBy: 'driver',
    schema: 'log_event',
    async read(api, state, window) {
      const { items, next } = await readPeriodsPage(api, state, window, PERIODS)
      const events = items.flatMap((item) => eventsIn(unwrapped(item)))
      return { records: events.filter(({ event }) => hasStartedIn(event, window)), next }
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
  vehicles: list,
  events: list,
  remarks: list,
})

/** The events of a log, each with the remarks that were written while it lasted. */
function eventsIn(log: unknown) {
  const { driver, vehicles, events, remarks } = validate(logSchema, log)
  const all = events.map(unwrapped)
  return all.map((event) => ({
    driver,
    vehicles,
    event,
    remarks: remarks.filter((remark) => eventAt(all, timeOf(unwrapped(remark), 'time')) === event),
  }))
}

/** The one of them that began last until then. */
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
