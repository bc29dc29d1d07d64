import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { toInstant, toIso } from '../../../domain/time.ts'
import type { ProviderApi, QueryParams } from '../../provider-api.ts'
import { nestedRecords } from '../../mapping/nested-records.ts'
import { readableId } from '../../mapping/source-id.ts'
import { validate } from '../../mapping/validate.ts'
import type { ProviderAdapter, ReaderState, ReadPage, TimeWindow } from '../../provider.ts'
import { toHosDailyLog, toHosLog } from '../mappers/hos.ts'
import { dailyLog, hosLog } from '../schemas/hos.ts'
import { datesOf } from './dates.ts'
import { readListsPage } from './pages.ts'

export const hours = {
  HOSLog: {
    mode: 'window',
    // The start of a log is part of its id. If a driver edits the start, the former record must be removed.
    completeBy: 'driver',
    schema: 'hos_log',
    read: readLogs,
    normalize: (record) => toHosLog(validate(hosLog, record)),
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
      const { records, next } = await readListsPage(api, state, '/fleet/hos/daily-logs', queries)
      return { records, next }
    },
    normalize: (record) => toHosDailyLog(validate(dailyLog, record)),
  },
} satisfies ProviderAdapter['readers']

const driverLogs = z.looseObject({ driver: z.unknown(), hosLogs: z.array(z.unknown()).nullish() })

/** Logs at the end of a page, which the next page returns. */
interface HeldLogs {
  readonly held?: readonly unknown[]
}

/**
 * Reads a page of drivers with their logs. The window is split into slices, because a page for a month could
 * contain a hundred thousand logs. The numbers of logs that start at the same moment depend on each other, and the next
 * page can contain more of them. The last log of a page is therefore returned with the next page.
 */
async function readLogs(api: ProviderApi, state: ReaderState, window: TimeWindow): Promise<ReadPage> {
  const { records, next } = await readListsPage(api, state, '/fleet/hos/logs', [...slicesOf(window)])
  const { held = [] } = (state ?? {}) as HeldLogs
  const logs = records.flatMap((record) =>
    nestedRecords(driverLogs, record, ({ driver, hosLogs }) =>
      (hosLogs ?? []).map((log) => ({ driver, log, isOpen: isOpen(log, window.to) })),
    ),
  )
  const isRepeated = (log: unknown) => logs.some((other) => isDeepStrictEqual(other, log))
  const keyedLogs = [...held.filter((log) => !isRepeated(log)), ...logs].map((log) => ({
    log,
    key: keyOf(log),
  }))
  const lastKey = next?.after == null ? null : (keyedLogs.at(-1)?.key ?? null)
  const isHeld = ({ key }: KeyedLog) => key !== null && key === lastKey
  return {
    records: numbered(keyedLogs.filter((log) => !isHeld(log))),
    next: next && { ...next, held: keyedLogs.filter(isHeld).map(({ log }) => log) },
  }
}

interface KeyedLog {
  readonly log: unknown
  /** Driver and start of the log; null if they cannot be read. */
  readonly key: string | null
}

const started = z.looseObject({
  driver: z.looseObject({ id: readableId }),
  log: z.looseObject({ logStartTime: z.string() }),
})

function keyOf(record: unknown): string | null {
  const { data } = started.safeParse(record)
  return data ? `${data.driver.id} ${data.log.logStartTime}` : null
}

/**
 * Numbers the logs of a driver that start at the same moment, because their ids would be equal. The longest
 * one gets no number.
 */
function numbered(logs: readonly KeyedLog[]): unknown[] {
  const counts = new Map<string, number>()
  return logs
    .map(({ log, key }) => ({ log, key, end: endOf((log as { log?: unknown } | null)?.log) }))
    .sort((one, other) => other.end - one.end)
    .map(({ log, key }) => {
      if (key === null) return log
      const ordinal = counts.get(key) ?? 0
      counts.set(key, ordinal + 1)
      return ordinal === 0 ? log : { ...(log as object), ordinal }
    })
}

const SLICE_MS = 2 * 86_400_000

function* slicesOf({ from, to }: TimeWindow): Generator<QueryParams> {
  for (let at = from; at < to; at += SLICE_MS)
    yield { startTime: toIso(at), endTime: toIso(Math.min(at + SLICE_MS, to)) }
}

const ending = z.looseObject({ logEndTime: z.string() })

/** Whether the status of a log is still active: the log has no end, or one in the future. */
const isOpen = (log: unknown, now: number): boolean => endOf(log) > now

/** End of a log; Infinity if it has none. */
function endOf(log: unknown): number {
  const { data } = ending.safeParse(log)
  return data ? (toInstant(data.logEndTime) ?? 0) : Infinity
}
