import { z } from 'zod'
import type { HosStatus } from '../../../../domain/models/hos-log.ts'
import { unmappedValues, createEnumMapping } from '../../../mapping/enum-mapping.ts'
import { optionalBoolean } from '../../../mapping/boolean.ts'
import { optionalNumber } from '../../../mapping/numbers.ts'
import { id, instant, optionalPoint, optionalReference, reference } from '../../schema-types.ts'

/** Types of logs that start no duty status, such as sign-ins, certifications and exemptions. */
const nonStatuses =
  unmappedValues(`Authority Login Logoff Certify EnginePowerup EngineShutdown EnginePowerupPC EngineShutdownPC
  INT_CoDriver INT_D AdverseWeather Exemption16H ExemptionOffDutyDeferral RailroadExemption WorkExemption
  SituationalDrivingClear`)

const statuses = createEnumMapping<HosStatus>('geotab', 'HOSLog.status', {
  ...nonStatuses,
  OFF: 'off_duty',
  SB: 'sleeper_bed',
  D: 'driving',
  ON: 'on_duty',
  YM: 'yard_move',
  PC: 'personal_conveyance',
  WT: 'waiting_time',
})

export const logSchema = z.looseObject({
  id,
  status: z.string(),
  driver: reference,
  device: optionalReference,
  dateTime: instant,
  isIgnored: optionalBoolean,
  eventRecordStatus: optionalNumber,
  location: z.looseObject({ location: optionalPoint }).nullish(),
  annotations: z.array(z.unknown()).nullish(),
})

export type Log = z.infer<typeof logSchema>

export const dutyStatusOf = ({ status }: Log): HosStatus => statuses.orThrow(status)

/**
 * Whether a log is a valid duty status. After an edit, the former log has `isIgnored`, or a record status
 * other than 1.
 */
export const isValidLog = ({ status, isIgnored, eventRecordStatus }: Log): boolean =>
  statuses.orNull(status) !== null && isIgnored !== true && (eventRecordStatus ?? 1) === 1
