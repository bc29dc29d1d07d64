import { z } from 'zod'
import { optionalMember } from '../../../mapping/optional-member.ts'
import { type Instant, toIso } from '../../../../domain/time.ts'
import type { ProviderApi } from '../../../provider-api.ts'
import type { NormalizedHosLog } from '../../../../domain/models/hos-log.ts'
import { parseParts } from '../../../mapping/readable-parts.ts'
import { getByIds, getForEach } from '../../api-calls.ts'
import { id, instant, optionalReference, pointOf, references, text } from '../../schema-types.ts'
import { feedReader, LARGE_PAGE } from '../../paged-readers.ts'
import { logSchema, type Log, dutyStatusOf } from './duty-schema.ts'
import { type DutyPeriod, dutyPeriodsSince, invalidLogIds } from './duty-statuses.ts'

const annotationSchema = z.looseObject({ id, comment: text, dateTime: optionalMember(instant) })

/** Log with its annotations, and its end: the start of the driver's next status. */
const joinedLog = z.object({
  dutyStatusLog: logSchema.extend({ coDrivers: references }),
  endedAt: instant.nullable(),
  annotations: z.array(annotationSchema),
})

export const hosLogReader = feedReader({
  typeName: 'DutyStatusLog',
  pageSize: LARGE_PAGE,
  shape: joinedLog,
  join,
  removedIn: async (_api, records) => invalidLogIds(records),
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
  const unreadable = records.filter((record) => parseParts(logSchema, record) === null)
  return [
    ...(await withAnnotations(api, periods)),
    ...unreadable.map((record) => ({ dutyStatusLog: record, endedAt: null, annotations: [] })),
  ]
}

/** Adds the annotations of logs. Newer servers send only their ids, older ones send them in full. */
async function withAnnotations(api: ProviderApi, periods: readonly DutyPeriod[]): Promise<unknown[]> {
  const byId = await annotationsOf(api, periods)
  return periods.map(({ record, log, endedAt }) => ({
    dutyStatusLog: record,
    endedAt: endedAt === null ? null : toIso(endedAt),
    annotations: (log.annotations ?? []).flatMap((annotation) =>
      isFullAnnotation(annotation) ? [annotation] : (byId.get(idOf(annotation)) ?? []),
    ),
  }))
}

/** Time after a log within which most of its annotations are written. */
const SOON_MS = 14 * 86_400_000

/**
 * Returns annotations by id. One search per driver finds those written within `SOON_MS` after a log. The
 * others are read by id.
 */
async function annotationsOf(
  api: ProviderApi,
  periods: readonly DutyPeriod[],
): Promise<Map<string, unknown>> {
  const referring = periods.filter(({ log }) => referredIdsIn(log).length > 0)
  const found = (await getForEach(api, 'AnnotationLog', searchesOf(referring))).flat()
  const early = new Map(found.map((record) => [idOf(record), record]))
  const missing = referring.flatMap(({ log }) => referredIdsIn(log)).filter((id) => !early.has(id))
  return new Map([...early, ...(await getByIds(api, 'AnnotationLog', missing))])
}

const referredIdsIn = ({ annotations }: Log): string[] =>
  (annotations ?? []).flatMap((annotation) => (isFullAnnotation(annotation) ? [] : idOf(annotation) || []))

function searchesOf(periods: readonly DutyPeriod[]) {
  const times = new Map<string, number[]>()
  for (const { log } of periods) times.set(log.driver, [...(times.get(log.driver) ?? []), log.dateTime])
  return [...times].map(([driver, all]) => ({
    userSearch: { id: driver },
    fromDate: toIso(Math.min(...all)),
    toDate: toIso(Math.max(...all) + SOON_MS),
  }))
}

const idOf = (annotation: unknown): string => optionalReference.safeParse(annotation).data ?? ''

const isFullAnnotation = (annotation: unknown): boolean =>
  z.looseObject({ comment: z.string() }).safeParse(annotation).success
