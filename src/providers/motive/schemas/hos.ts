import { z } from 'zod'
import { optionalMember } from '../../mapping/optional-member.ts'
import { optionalBoolean } from '../../mapping/boolean.ts'
import { id, instant, number, owner, text } from './schema-types.ts'

const remark = z.looseObject({ id: id.nullish(), time: optionalMember(instant), notes: text })

/** Event of a daily log. `driver` and `vehicles` are those of the whole log, `remarks` those of the event. */
export const logEvent = z.object({
  driver: owner,
  vehicles: z.array(z.looseObject({ vehicle: owner })).nullish(),
  event: z.looseObject({
    id,
    type: z.string(),
    notes: text,
    start_time: instant,
    end_time: optionalMember(instant),
  }),
  remarks: z.array(z.looseObject({ remark })).nullish(),
})

export const dailyLog = z.looseObject({
  id,
  date: z.string().regex(/^\d{4}-\d\d-\d\d$/),
  driver: owner,
  /** In kilometers if `metric_units` is true, despite the name. */
  total_miles: number,
  metric_units: optionalBoolean,
  off_duty_duration: number,
  on_duty_duration: number,
  sleeper_duration: number,
  driving_duration: number,
  waiting_duration: number,
})

export const availableTime = z.looseObject({
  id,
  duty_status: text,
  available_time: z
    .looseObject({
      drive: number,
      shift: number,
      cycle: number,
      break: number,
    })
    .nullish(),
})
