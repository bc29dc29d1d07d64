import { z } from 'zod'
import { type Instant, toIso } from '../../../time.ts'
import type { ProviderApi } from '../../api.ts'
import type { HosLogDraft } from '../../drafts.ts'
import { getByIds, getEach } from '../calls.ts'
import { id, instant, maybeReference, pointOf, text } from '../fields.ts'
import { fed, LARGE_PAGE } from '../readers.ts'
import { log, type Log, statusOf } from './duty-log.ts'
import { type Lasting, lastingSince, withoutCount } from './duty-statuses.ts'

const annotation = z.looseObject({ id, comment: text, dateTime: instant.nullish() })

/** A log with when the next status of its driver began, and what was written to it. */
const joinedLog = z.object({
  dutyStatusLog: log,
  endedAt: instant.nullable(),
  annotations: z.array(annotation),
})

export const hosLogReader = fed({
  typeName: 'DutyStatusLog',
  most: LARGE_PAGE,
  shape: joinedLog,
  joined,
  removedIn: async (_api, records) => withoutCount(records),
  toDraft: ({ dutyStatusLog: log, endedAt, annotations }): HosLogDraft => ({
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
  const told = await lastingSince(api, records, now)
  const unreadable = records.filter((record) => !log.safeParse(record).success)
  return [
    ...(await annotated(api, told)),
    ...unreadable.map((record) => ({ dutyStatusLog: record, endedAt: null, annotations: [] })),
  ]
}

/** Logs refer to what was written to them; of older servers they have it inside. */
async function annotated(api: ProviderApi, told: readonly Lasting[]): Promise<unknown[]> {
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
async function annotationsOf(api: ProviderApi, told: readonly Lasting[]): Promise<Map<string, unknown>> {
  const referring = told.filter(({ log }) => referredIn(log).length > 0)
  const found = (await getEach(api, 'AnnotationLog', searchesOf(referring))).flat()
  const soon = new Map(found.map((one) => [idOf(one), one]))
  const later = referring.flatMap(({ log }) => referredIn(log)).filter((id) => !soon.has(id))
  return new Map([...soon, ...(await getByIds(api, 'AnnotationLog', later))])
}

const referredIn = ({ annotations }: Log): string[] =>
  (annotations ?? []).flatMap((one) => (isWhole(one) ? [] : idOf(one) || []))

function searchesOf(told: readonly Lasting[]) {
  const times = new Map<string, number[]>()
  for (const { log } of told) times.set(log.driver, [...(times.get(log.driver) ?? []), log.dateTime])
  return [...times].map(([driver, all]) => ({
    userSearch: { id: driver },
    fromDate: toIso(Math.min(...all)),
    toDate: toIso(Math.max(...all) + SOON_MS),
  }))
}

const idOf = (one: unknown): string => maybeReference.safeParse(one).data ?? ''

const isWhole = (one: unknown): boolean => z.looseObject({ comment: z.string() }).safeParse(one).success
