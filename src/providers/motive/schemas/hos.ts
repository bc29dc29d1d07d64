import { z } from 'zod'
import { id, instant, measure, owner, text } from './schema-types.ts'

const remark = z.looseObject({ id: id.nullish(), time: instant.nullish(), notes: text })

/** Event of a log, with the related data of the log. */
export const logEvent = z.object({
  driver: owner,
  vehicles: z.array(z.looseObject({ vehicle: owner })),
  event: z.looseObject({
    id,
    type: z.string(),
    notes: text,
    start_time: instant,
    end_time: instant.nullish(),
  }),
  /** Remarks written during the event. */
  remarks: z.array(z.looseObject({ remark })),
})

const seconds = measure

export const dailyLog = z.looseObject({
  id,
  date: z.string().regex(/^\d{4}-\d\d-\d\d$/),
  driver: owner,
  /** In kilometers if `metric_units` is true, despite the name. */
  total_miles: measure,
  metric_units: z.boolean().nullish(),
  off_duty_duration: seconds,
  on_duty_duration: seconds,
  sleeper_duration: seconds,
  driving_duration: seconds,
  waiting_duration: seconds,
})

export const availableTime = z.looseObject({
  id,
  duty_status: z.string().nullish(),
  available_time: z.looseObject({
    drive: seconds,
    shift: seconds,
    cycle: seconds,
    break: seconds,
  }),
})
