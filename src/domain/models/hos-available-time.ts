import { defineModel } from './define-model.ts'
import type { HosStatus } from './hos-log.ts'
import { milliseconds } from './value-ranges.ts'

/** Remaining hours of service of a driver, as of the read. */
export interface NormalizedHosAvailableTime {
  readonly driverSourceId: string
  readonly currentStatus: HosStatus | null
  readonly cycleMilliseconds: number | null
  readonly shiftMilliseconds: number | null
  readonly driveMilliseconds: number | null
  readonly breakMilliseconds: number | null
}

export const hosAvailableTimeModel = defineModel<NormalizedHosAvailableTime>()({
  name: 'HOSAvailableTime',
  read: 'poll',
  types: ['HosAvailableTime'],
  queryFields: ['hosAvailableTimes'],
  scope: 'hos:read',
  sessionScope: 'READ_RECORDS',
  consentCategory: 'hours',
  owner: 'driver',
  ranges: {
    cycleMilliseconds: milliseconds,
    shiftMilliseconds: milliseconds,
    driveMilliseconds: milliseconds,
    breakMilliseconds: milliseconds,
  },
  required: {},
})
