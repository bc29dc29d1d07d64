import { z } from 'zod'
import { id, instant, owner, place, reference, text } from './schema-types.ts'

const codriver = z.looseObject({ id })

export const log = z.object({
  driver: owner,
  log: z.looseObject({
    hosStatusType: z.string(),
    logStartTime: instant,
    logEndTime: instant.nullish(),
    logRecordedLocation: place.nullish().catch(null),
    remark: text,
    vehicle: reference,
    codrivers: z.array(codriver).nullish(),
  }),
  /** Whether the status was still active at the time of the read. Its end may be in the future. */
  isOpen: z.boolean(),
})

const milliseconds = z.number().nullish()
const meters = z.number().nullish()

export const dailyLog = z.looseObject({
  driver: z.looseObject({ id, timezone: text }),
  startTime: instant,
  dutyStatusDurations: z.looseObject({
    driveDurationMs: milliseconds,
    onDutyDurationMs: milliseconds,
    offDutyDurationMs: milliseconds,
    sleeperBerthDurationMs: milliseconds,
    personalConveyanceDurationMs: milliseconds,
    yardMoveDurationMs: milliseconds,
    waitingTimeDurationMs: milliseconds,
  }),
  distanceTraveled: z
    .looseObject({
      driveDistanceMeters: meters,
      personalConveyanceDistanceMeters: meters,
      yardMoveDistanceMeters: meters,
    })
    .nullish(),
})

export const clocks = z.looseObject({
  driver: owner,
  /** Empty without a driver app. */
  currentDutyStatus: z.looseObject({ hosStatusType: z.string().nullish() }).nullish(),
  clocks: z.looseObject({
    drive: z.looseObject({ driveRemainingDurationMs: milliseconds }).nullish(),
    shift: z.looseObject({ shiftRemainingDurationMs: milliseconds }).nullish(),
    cycle: z.looseObject({ cycleRemainingDurationMs: milliseconds }).nullish(),
    break: z.looseObject({ timeUntilBreakDurationMs: milliseconds }).nullish(),
  }),
})
