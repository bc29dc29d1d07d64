import { z } from 'zod'
import { toIso } from '../../../time.ts'
import type { ProviderApi } from '../../api.ts'
import type { HosLogDraft } from '../../drafts.ts'
import { getEach } from '../calls.ts'
import { id, instant, maybeReference, text } from '../fields.ts'
import { fed, LARGE_PAGE } from '../readers.ts'
import { type Lasting, lastingSince, log, statusOf, withoutCount } from './duty-statuses.ts'

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
    location: log.location?.location
      ? { longitude: log.location.location.x, latitude: log.location.location.y }
      : null,
    remarks: annotations.flatMap(({ id, comment, dateTime }) =>
      comment === null ? [] : [{ notes: comment, sourceId: id, submittedAt: dateTime ?? null }],
    ),
  }),
})

async function joined(api: ProviderApi, records: readonly unknown[]): Promise<unknown[]> {
  const told = await lastingSince(api, records)
  const unreadable = records.filter((record) => !log.safeParse(record).success)
  return [
    ...(await annotated(api, told)),
    ...unreadable.map((record) => ({ dutyStatusLog: record, endedAt: null, annotations: [] })),
  ]
}

/** Logs refer to what was written to them; of older servers they have it inside. */
async function annotated(api: ProviderApi, told: readonly Lasting[]): Promise<unknown[]> {
  const first = new Map<string, number>()
  for (const { log } of told)
    if (log.annotations?.some((one) => !isWhole(one)))
      first.set(log.driver, Math.min(first.get(log.driver) ?? log.dateTime, log.dateTime))
  const searches = [...first].map(([driver, from]) => ({ userSearch: { id: driver }, fromDate: toIso(from) }))
  const found = (await getEach(api, 'AnnotationLog', searches)).flat()
  const byId = new Map(found.map((one) => [annotation.safeParse(one).data?.id, one]))
  return told.map(({ record, log, endedAt }) => ({
    dutyStatusLog: record,
    endedAt: endedAt === null ? null : toIso(endedAt),
    annotations: (log.annotations ?? []).flatMap((one) =>
      isWhole(one) ? [one] : (byId.get(maybeReference.safeParse(one).data ?? '') ?? []),
    ),
  }))
}

const isWhole = (one: unknown): boolean => z.looseObject({ comment: z.string() }).safeParse(one).success
