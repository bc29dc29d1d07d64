import { z } from 'zod'
import { toInstant } from '../../domain/time.ts'
import { secondsToMilliseconds } from '../../domain/units.ts'
import type { Point } from '../../domain/models/point.ts'
import { optionalNumber } from '../mapping/optional-number.ts'
import { validCoordinates } from '../mapping/valid-coordinates.ts'

/** Field types of MyGeotab's records. */

export const id = z.string().min(1)

export const instant = z.string().transform((text, context) => {
  const at = toInstant(text)
  if (at === null) context.addIssue({ code: 'custom', message: 'not a date-time' })
  return at ?? 0
})

/** For example UnknownDriverId and NoDeviceId. */
const NULL_REFERENCE = /^(Unknown|No)[A-Z]\w*Id$/

const referredId = z.union([id, z.looseObject({ id }).transform((object) => object.id)])

/** Reference to another record: an object with an id, or the id itself. */
export const reference = referredId.refine((to) => !NULL_REFERENCE.test(to), 'refers to no record')

/** Optional reference. */
export const optionalReference = referredId
  .nullish()
  .transform((to) => (to && !NULL_REFERENCE.test(to) ? to : null))

export const references = z
  .array(optionalReference)
  .nullish()
  .transform((all) => (all ?? []).filter((to) => to !== null))

export const text = z
  .string()
  .nullish()
  .transform((value) => value?.trim() || null)

/** Null for NaN, which is sent as a text. */
export const measure = z.preprocess((value) => (value === 'NaN' ? null : value), optionalNumber)

export const latitude = z.number().min(-90).max(90)
export const longitude = z.number().min(-180).max(180)

/** x is the longitude. */
export const point = z.object({ x: longitude, y: latitude })

/** An invalid point becomes null, and the rest of the record is kept. */
export const optionalPoint = point.nullish().catch(null)

export const pointOf = (location: z.infer<typeof point> | null | undefined): Point | null =>
  validCoordinates(location && { longitude: location.x, latitude: location.y })

const TIMESPAN = /^(-?)(?:(\d+)\.)?(\d\d):(\d\d):(\d\d(?:\.\d{1,7})?)$/

/**
 * Parses a .NET timespan, `[-][d.]hh:mm:ss[.fffffff]`, to milliseconds. A negative timespan becomes 0, another
 * text NaN.
 */
export const timespan = z
  .string()
  .nullish()
  .transform((written) => {
    if (written == null) return null
    const [, sign, days = '0', hours, minutes, seconds] = TIMESPAN.exec(written) ?? []
    if (hours === undefined) return NaN
    const whole = ((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60
    return sign === '-' ? 0 : secondsToMilliseconds(whole + Number(seconds))
  })
