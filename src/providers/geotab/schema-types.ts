import { z } from 'zod'
import { toInstant } from '../../domain/time.ts'
import { secondsToMilliseconds } from '../../domain/units.ts'
import type { Point } from '../../domain/models/point.ts'
import { optionalNumber } from '../mapping/numbers.ts'
import { readableId } from '../mapping/source-id.ts'
import { optionalText } from '../mapping/text.ts'
import { latitude, longitude, validCoordinates } from '../mapping/valid-coordinates.ts'

/** Field types of MyGeotab's records. */

export const id = readableId

export const instant = z.string().transform((text, context) => {
  const at = toInstant(text)
  if (at === null) context.addIssue({ code: 'custom', message: 'not a date-time' })
  return at ?? 0
})

/** Ids that MyGeotab sends instead of null, for example UnknownDriverId and NoDeviceId. */
const NULL_REFERENCE = /^(Unknown|No)[A-Z]\w*Id$/

const referredId = z.union([z.string().min(1), z.looseObject({ id }).transform((object) => object.id)])

/** Reference to another record: an object with an id, or the id itself. */
export const reference = referredId.refine((to) => !NULL_REFERENCE.test(to), 'refers to no record')

export const optionalReference = referredId
  .nullish()
  .transform((to) => (to && !NULL_REFERENCE.test(to) ? to : null))

export const references = z
  .array(optionalReference)
  .nullish()
  .transform((all) => (all ?? []).filter((to) => to !== null))

export const text = optionalText

/** Optional number. MyGeotab sends an unknown one as the text NaN, which becomes null. */
export const measure = z.preprocess((value) => (value === 'NaN' ? null : value), optionalNumber)

/** Location: x is the longitude, y the latitude. */
export const point = z.object({ x: longitude, y: latitude })

export const optionalPoint = point.nullish()

export const pointOf = (location: z.infer<typeof point> | null | undefined): Point | null =>
  validCoordinates(location && { longitude: location.x, latitude: location.y })

const TIMESPAN = /^(-?)(?:(\d+)\.)?(\d\d):(\d\d):(\d\d(?:\.\d{1,7})?)$/

/**
 * Converts a .NET timespan, `[-][d.]hh:mm:ss[.fffffff]`, to milliseconds. A negative timespan becomes 0.
 */
export const timespan = z
  .string()
  .nullish()
  .transform((value, context) => {
    if (value == null) return null
    const [, sign, days = '0', hours, minutes, seconds] = TIMESPAN.exec(value) ?? []
    if (hours === undefined) {
      context.addIssue({ code: 'custom', message: 'not a timespan' })
      return null
    }
    const whole = ((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60
    return sign === '-' ? 0 : secondsToMilliseconds(whole + Number(seconds))
  })
