import { z } from 'zod'
import { type Instant, toIso } from '../../../../domain/time.ts'
import type { ProviderApi } from '../../../provider-api.ts'
import type { NormalizedHosLog } from '../../../normalized-records.ts'
import { getByIds, getForEach } from '../../api-calls.ts'
import { id, instant, optionalReference, pointOf, text } from '../../schema-types.ts'
import { feedReader, LARGE_PAGE } from '../../paged-readers.ts'
import { log, type Log, statusOf } from './duty-schema.ts'
import { type DutyPeriod, dutyPeriodsSince, discardedLogs } from './duty-statuses.ts'

const annotation = z.looseObject({ id, comment: text, dateTime: instant.nullish() })

/** A log with when the next status of its driver began, and what was written to it. */
const joinedLog = z.object({
  dutyStatusLog: log,
  endedAt: instant.nullable(),
  annotations: z.array(annotation),
})

export const hosLogReader = feedReader({
  typeName: 'DutyStatusLog',
  most: LARGE_PAGE,
  shape: joinedLog,
  joined,
  removedIn: async (_api, records) => discardedLogs(records),
  toDraft: ({ dutyStatusLog: log, endedAt, annotations }): NormalizedHosLog => ({
    sourceId: log.id,
    status: statusOf(log),
    driverSourceId: log.driver,
    vehicleSourceId: log.device,
    codriverSourceIds: log.coDrivers,
    startedAt: log.dateTime,
    endedAt,
    location: pointOf(log.location?.location),
    remarks: annotations.flatMap(({ id, comment, dateTime }) =>
      comment === null ? [] : [{ notes: comment, sourceId: id, submittedAt: dateTime ?? null }],
    ),
  }),
})

async function joined(api: ProviderApi, records: readonly unknown[], now: Instant): Promise<unknown[]> {
  const told = await dutyPeriodsSince(api, records, now)
  const unreadable = records.filter((record) => !log.safeParse(record).success)
  return [
    ...(await annotated(api, told)),
    ...unreadable.map((record) => ({ dutyStatusLog: record, endedAt: null, annotations: [] })),
  ]
}

/** Logs refer to what was written to them; of older servers they have it inside. */
async function annotated(api: ProviderApi, told: readonly DutyPeriod[]): Promise<unknown[]> {
  const byId = await annotationsOf(api, told)
  return told.map(({ record, log, endedAt }) => ({
    dutyStatusLog: record,
    endedAt: endedAt === null ? null : toIso(endedAt),
    annotations: (log.annotations ?? []).flatMap((one) =>
      isWhole(one) ? [one] : (byId.get(idOf(one)) ?? []),
    ),
  }))
}

/** Most are written within so long a time. */
const SOON_MS = 14 * 86_400_000

/** By their ids: those that were written soon of many logs at once, and those that were written later by themselves. */
async function annotationsOf(api: ProviderApi, told: readonly DutyPeriod[]): Promise<Map<string, unknown>> {
  const referring = told.filter(({ log }) => referredIn(log).length > 0)
  const found = (await getForEach(api, 'AnnotationLog', searchesOf(referring))).flat()
  const soon = new Map(found.map((one) => [idOf(one), one]))
  const later = referring.flatMap(({ log }) => referredIn(log)).filter((id) => !soon.has(id))
  return new Map([...soon, ...(await getByIds(api, 'AnnotationLog', later))])
}

const referredIn = ({ annotations }: Log): string[] =>
  (annotations ?? []).flatMap((one) => (isWhole(one) ? [] : idOf(one) || []))

function searchesOf(told: readonly DutyPeriod[]) {
  const times = new Map<string, number[]>()
  for (const { log } of told) times.set(log.driver, [...(times.get(log.driver) ?? []), log.dateTime])
  return [...times].map(([driver, all]) => ({
    userSearch: { id: driver },
    fromDate: toIso(Math.min(...all)),
    toDate: toIso(Math.max(...all) + SOON_MS),
  }))
}

const idOf = (one: unknown): string => optionalReference.safeParse(one).data ?? ''

const isWhole = (one: unknown): boolean => z.looseObject({ comment: z.string() }).safeParse(one).success
