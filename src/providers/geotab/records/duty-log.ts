import { z } from 'zod'
import type { HosStatus } from '../../drafts.ts'
import { noneOfOurs, vocabulary } from '../../vocabulary.ts'
import { id, instant, maybePoint, maybeReference, reference, references } from '../fields.ts'

/** Logs of signing in, of certifying and of what ends or exempts a status: they begin none. */
const others =
  noneOfOurs(`Authority Login Logoff Certify EnginePowerup EngineShutdown EnginePowerupPC EngineShutdownPC
  INT_CoDriver INT_D AdverseWeather Exemption16H ExemptionOffDutyDeferral RailroadExemption WorkExemption
  SituationalDrivingClear`)

const statuses = vocabulary<HosStatus>('geotab', 'HOSLog.status', {
  ...others,
  OFF: 'off_duty',
  SB: 'sleeper_bed',
  D: 'driving',
  ON: 'on_duty',
  YM: 'yard_move',
  PC: 'personal_conveyance',
  WT: 'waiting_time',
})

export const log = z.looseObject({
  id,
  status: z.string(),
  driver: reference,
  device: maybeReference,
  dateTime: instant,
  isIgnored: z.boolean().nullish(),
  eventRecordStatus: z.number().nullish(),
  coDrivers: references,
  location: z.looseObject({ location: maybePoint }).nullish().catch(null),
  annotations: z.array(z.unknown()).nullish(),
})

export type Log = z.infer<typeof log>

export const statusOf = ({ status }: Log): HosStatus => statuses.needed(status)

/** What was edited away is ignored, or no longer of record status 1. */
export const counts = ({ status, isIgnored, eventRecordStatus }: Log): boolean =>
  statuses.maybe(status) !== null && isIgnored !== true && (eventRecordStatus ?? 1) === 1
