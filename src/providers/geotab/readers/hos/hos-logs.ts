import { z } from 'zod'
import { type Instant, toIso } from '../../../../domain/time.ts'
import type { ProviderApi } from '../../../provider-api.ts'
import type { NormalizedHosLog } from '../../../../domain/models/hos-log.ts'
import { getByIds, getForEach } from '../../api-calls.ts'
import { id, instant, optionalReference, pointOf, text } from '../../schema-types.ts'
import { feedReader, LARGE_PAGE } from '../../paged-readers.ts'
import { log, type Log, dutyStatusOf } from './duty-schema.ts'
import { type DutyPeriod, dutyPeriodsSince, discardedLogs } from './duty-statuses.ts'

const annotation = z.looseObject({ id, comment: text, dateTime: instant.nullish() })

/** Log with the start of the driver's next status, and its annotations. */
const joinedLog = z.object({
  dutyStatusLog: log,
  endedAt: instant.nullable(),
  annotations: z.array(annotation),
})

export const hosLogReader = feedReader({
  typeName: 'DutyStatusLog',
  pageSize: LARGE_PAGE,
  shape: joinedLog,
  join,
  removedIn: async (_api, records) => discardedLogs(records),
  toNormalized: ({ dutyStatusLog: log, endedAt, annotations }): NormalizedHosLog => ({
    sourceId: log.id,
    status: dutyStatusOf(log),
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

async function join(api: ProviderApi, records: readonly unknown[], now: Instant): Promise<unknown[]> {
  const periods = await dutyPeriodsSince(api, records, now)
  // Records that do not match the schema stay, so that their normalization reports them.
  const unreadable = records.filter((record) => !log.safeParse(record).success)
  return [
    ...(await withAnnotations(api, periods)),
    ...unreadable.map((record) => ({ dutyStatusLog: record, endedAt: null, annotations: [] })),
  ]
}

/** Adds annotations. Logs refer to them by id; older servers include them. */
async function withAnnotations(api: ProviderApi, periods: readonly DutyPeriod[]): Promise<unknown[]> {
  const byId = await annotationsOf(api, periods)
  return periods.map(({ record, log, endedAt }) => ({
    dutyStatusLog: record,
    endedAt: endedAt === null ? null : toIso(endedAt),
    annotations: (log.annotations ?? []).flatMap((one) =>
      isFullAnnotation(one) ? [one] : (byId.get(idOf(one)) ?? []),
    ),
  }))
}

/** Time within which most annotations are written. */
const SOON_MS = 14 * 86_400_000

/**
 * Returns annotations by id. One search per driver finds those written within `SOON_MS` after a log. The others are read
 * by id.
 */
async function annotationsOf(
  api: ProviderApi,
  periods: readonly DutyPeriod[],
): Promise<Map<string, unknown>> {
  const referring = periods.filter(({ log }) => referredIdsIn(log).length > 0)
  const found = (await getForEach(api, 'AnnotationLog', searchesOf(referring))).flat()
  const early = new Map(found.map((one) => [idOf(one), one]))
  const missing = referring.flatMap(({ log }) => referredIdsIn(log)).filter((id) => !early.has(id))
  return new Map([...early, ...(await getByIds(api, 'AnnotationLog', missing))])
}

const referredIdsIn = ({ annotations }: Log): string[] =>
  (annotations ?? []).flatMap((one) => (isFullAnnotation(one) ? [] : idOf(one) || []))

function searchesOf(periods: readonly DutyPeriod[]) {
  const times = new Map<string, number[]>()
  for (const { log } of periods) times.set(log.driver, [...(times.get(log.driver) ?? []), log.dateTime])
  return [...times].map(([driver, all]) => ({
    userSearch: { id: driver },
    fromDate: toIso(Math.min(...all)),
    toDate: toIso(Math.max(...all) + SOON_MS),
  }))
}

const idOf = (one: unknown): string => optionalReference.safeParse(one).data ?? ''

const isFullAnnotation = (one: unknown): boolean =>
  z.looseObject({ comment: z.string() }).safeParse(one).success
