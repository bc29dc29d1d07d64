import { z } from 'zod'
import { id, instant, owner, text } from './schema-types.ts'

/** One measurement of one vehicle. */
export const stat = z.object({
  vehicle: owner,
  type: z.string(),
  reading: z.looseObject({ time: instant, value: z.union([z.number(), z.string()]) }),
})

export const j1939Code = z.looseObject({
  spnId: z.number().int(),
  spnDescription: text,
  fmiId: z.number().int().nullish(),
  fmiDescription: text,
  occurrenceCount: z.number().nullish(),
  txId: z.number().nullish(),
  milStatus: z.number().nullish(),
})

export const obdiiCode = z.looseObject({ dtcShortCode: id, dtcDescription: text })

const told = {
  vehicle: owner,
  /** The report that showed it first. */
  openedAt: instant,
  /** Gone is what was told and turned out never to have been so. */
  status: z.enum(['open', 'pending', 'closed', 'gone']),
  lamp: z.boolean().nullable(),
}

/** A code from the report that shows it first to that which does not show it any more. */
export const fault = z.discriminatedUnion('protocol', [
  z.object({ ...told, protocol: z.literal('j1939'), code: j1939Code }),
  z.object({ ...told, protocol: z.literal('obdii'), code: obdiiCode }),
])

/** What one vehicle did on one day. */
export const utilization = z.object({
  date: z.string(),
  report: z.looseObject({
    vehicle: owner,
    distanceTraveledMeters: z.number().min(0),
    engineRunTimeDurationMs: z.number().nullish(),
    engineIdleTimeDurationMs: z.number().nullish(),
    fuelConsumedMl: z.number().nullish(),
  }),
})

export const ifta = z.object({
  month: z.string(),
  vehicle: owner,
  jurisdiction: z.looseObject({ jurisdiction: text, totalMeters: z.number().min(0) }),
})
