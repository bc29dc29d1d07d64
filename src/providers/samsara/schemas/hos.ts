import { z } from 'zod'
import { optionalMember } from '../../mapping/optional-member.ts'
import { optionalNumber } from '../../mapping/numbers.ts'
import { id, instant, owner, place, reference, text } from './schema-types.ts'

const codriver = z.looseObject({ id })

export const hosLog = z.object({
  driver: owner,
  log: z.looseObject({
    hosStatusType: z.string(),
    logStartTime: instant,
    logEndTime: optionalMember(instant),
    logRecordedLocation: place.nullish(),
    remark: text,
    vehicle: reference,
    codrivers: z.array(codriver).nullish(),
  }),
  /** Whether the status was still active when the log was read. The log may then have an end in the future. */
  isOpen: z.boolean(),
  /** Number of the log among those of its driver that start at the same moment; absent for the longest one. */
  ordinal: z.number().optional(),
})

export const dailyLog = z.looseObject({
  driver: z.looseObject({ id, timezone: text }),
  startTime: instant,
  dutyStatusDurations: z
    .looseObject({
      driveDurationMs: optionalNumber,
      onDutyDurationMs: optionalNumber,
      offDutyDurationMs: optionalNumber,
      sleeperBerthDurationMs: optionalNumber,
      personalConveyanceDurationMs: optionalNumber,
      yardMoveDurationMs: optionalNumber,
      waitingTimeDurationMs: optionalNumber,
    })
    .nullish(),
  distanceTraveled: z
    .looseObject({
      driveDistanceMeters: optionalNumber,
      personalConveyanceDistanceMeters: optionalNumber,
      yardMoveDistanceMeters: optionalNumber,
    })
    .nullish(),
})

export const clocks = z.looseObject({
  driver: owner,
  /** Empty if the driver does not use Samsara's driver app. */
  currentDutyStatus: z.looseObject({ hosStatusType: text }).nullish(),
  clocks: z
    .looseObject({
      drive: z.looseObject({ driveRemainingDurationMs: optionalNumber }).nullish(),
      shift: z.looseObject({ shiftRemainingDurationMs: optionalNumber }).nullish(),
      cycle: z.looseObject({ cycleRemainingDurationMs: optionalNumber }).nullish(),
      break: z.looseObject({ timeUntilBreakDurationMs: optionalNumber }).nullish(),
    })
    .nullish(),
})
