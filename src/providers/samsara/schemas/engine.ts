import { z } from 'zod'
import { optionalBoolean } from '../../mapping/boolean.ts'
import { decimal, decimalOrNull, optionalNumber, integerValue } from '../../mapping/numbers.ts'
import { id, instant, owner, text } from './schema-types.ts'

/** One measurement of one vehicle. */
export const stat = z.object({
  vehicle: owner,
  type: z.string(),
  reading: z.looseObject({ time: instant, value: z.union([decimal, z.string()]) }),
})

export const j1939Code = z.looseObject({
  spnId: integerValue,
  spnDescription: text,
  fmiId: optionalNumber,
  fmiDescription: text,
  occurrenceCount: optionalNumber,
  txId: optionalNumber,
  milStatus: optionalNumber,
})

export const obdiiCode = z.looseObject({ dtcShortCode: id, dtcDescription: text })

const shared = {
  vehicle: owner,
  /** Time of the first report with this code. */
  openedAt: instant,
  /** `gone`: a late report showed that no fault began at `openedAt`. */
  status: z.enum(['open', 'pending', 'closed', 'gone']),
  /** Whether the malfunction lamp is on; null if unknown. */
  lamp: optionalBoolean,
  /** Source address of a controller, if one with a lower address reports the same code. */
  controller: z.number().optional(),
}

/** Fault code, from the first report that contains it until the first one that does not. */
export const fault = z.discriminatedUnion('protocol', [
  z.object({ ...shared, protocol: z.literal('j1939'), code: j1939Code }),
  z.object({ ...shared, protocol: z.literal('obdii'), code: obdiiCode }),
])

/** Utilization of one vehicle on one day. */
export const utilization = z.object({
  date: z.string(),
  report: z.looseObject({
    vehicle: owner,
    distanceTraveledMeters: decimalOrNull,
    engineRunTimeDurationMs: optionalNumber,
    engineIdleTimeDurationMs: optionalNumber,
    fuelConsumedMl: optionalNumber,
  }),
})

/** Distance of one vehicle in one month and jurisdiction. */
export const ifta = z.object({
  month: z.string(),
  vehicle: owner,
  jurisdiction: z.looseObject({ jurisdiction: text, totalMeters: decimal }),
})
