import { z } from 'zod'
import { toInstant } from '../../domain/time.ts'
import { secondsToMilliseconds } from '../../domain/units.ts'
import type { Point } from '../normalized-records.ts'
import { validCoordinates } from '../mapping/valid-coordinates.ts'

/** What MyGeotab's records are made of, as it writes it. */

export const id = z.string().min(1)

export const instant = z.string().transform((text, context) => {
  const at = toInstant(text)
  if (at === null) context.addIssue({ code: 'custom', message: 'not a date-time' })
  return at ?? 0
})

/** Such as UnknownDriverId and NoDeviceId. */
const NOTHING = /^(Unknown|No)[A-Z]\w*Id$/

const referred = z.union([id, z.looseObject({ id }).transform((object) => object.id)])

/** An object with an id, or the id itself. */
export const reference = referred.refine((to) => !NOTHING.test(to), 'refers to nothing')

/** The same, where it may refer to nothing. */
export const optionalReference = referred.nullish().transform((to) => (to && !NOTHING.test(to) ? to : null))

export const references = z
  .array(optionalReference)
  .nullish()
  .transform((all) => (all ?? []).filter((to) => to !== null))

export const text = z
  .string()
  .nullish()
  .transform((value) => value?.trim() || null)

/** Null where it is NaN, which is told as a word. */
export const measure = z
  .union([z.number(), z.string()])
  .nullish()
  .transform((value) => (typeof value === 'number' && value >= 0 ? value : null))

export const latitude = z.number().min(-90).max(90)
export const longitude = z.number().min(-180).max(180)

/** x is the longitude. */
export const point = z.object({ x: longitude, y: latitude })

/** Null where it is told, but is none: what happened there is read all the same. */
export const optionalPoint = point.nullish().catch(null)

export const pointOf = (told: z.infer<typeof point> | null | undefined): Point | null =>
  validCoordinates(told && { longitude: told.x, latitude: told.y })

const TIMESPAN = /^(-?)(?:(\d+)\.)?(\d\d):(\d\d):(\d\d(?:\.\d{1,7})?)$/

/** Of .NET, `[-][d.]hh:mm:ss[.fffffff]`, as milliseconds; what is overdrawn is nothing. */
export const timespan = z
  .string()
  .nullish()
  .transform((written, context) => {
    if (written == null) return null
    const [, sign, days = '0', hours, minutes, seconds] = TIMESPAN.exec(written) ?? []
    if (hours === undefined) context.addIssue({ code: 'custom', message: 'not a timespan' })
    const whole = ((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60
    return sign === '-' ? 0 : secondsToMilliseconds(whole + Number(seconds))
  })
