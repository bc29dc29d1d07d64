import { z } from 'zod'
import { toInstant } from '../../domain/time.ts'
import { optionalNumber } from '../mapping/optional-number.ts'

/** Schemas of Traccar's records. Speeds are in knots, lengths in meters, `hours` in milliseconds. */

/** Date-time. Older servers omit the colon in its UTC offset. */
const instant = z.string().transform((text, context) => {
  const at = toInstant(text.replace(/([+-]\d{2})(\d{2})$/, '$1:$2'))
  if (at === null) context.addIssue({ code: 'custom', message: 'not a date-time' })
  return at ?? 0
})
const id = z.number().int().positive()
/** Optional reference to another record, which Traccar sends as 0 if there is none. */
const reference = z
  .number()
  .int()
  .nullish()
  .transform((value) => (value ? value : null))
const text = z
  .string()
  .nullish()
  .transform((value) => value?.trim() || null)
const latitude = z.number().min(-90).max(90)
const longitude = z.number().min(-180).max(180)
/** Attributes, whose names and values devices and administrators define. */
const attributes = z
  .record(z.string(), z.unknown())
  .nullish()
  .transform((value) => value ?? {})

export type Attributes = z.infer<typeof attributes>

export const user = z.looseObject({ id, name: text, email: text, attributes })

export const group = z.looseObject({ id, name: text, groupId: reference })

export const driver = z.looseObject({ id, name: text, uniqueId: z.string().min(1), attributes })

export const device = z.looseObject({
  id,
  name: text,
  uniqueId: text,
  disabled: z.boolean().nullish(),
  lastUpdate: instant.nullish(),
  groupId: reference,
  model: text,
  attributes,
})

export const position = z.looseObject({
  id: z.number().int(),
  deviceId: id,
  fixTime: instant,
  outdated: z.boolean().nullish(),
  latitude,
  longitude,
  speed: optionalNumber,
  course: optionalNumber,
  address: text,
  attributes,
})

export const trip = z.looseObject({
  deviceId: id,
  startTime: instant,
  endTime: instant,
  startLat: latitude.nullish().catch(null),
  startLon: longitude.nullish().catch(null),
  endLat: latitude.nullish().catch(null),
  endLon: longitude.nullish().catch(null),
  distance: optionalNumber,
  duration: optionalNumber,
  driverUniqueId: text,
})

/** Fields of a position that an event needs. */
const eventPosition = z.looseObject({
  latitude: latitude.nullish().catch(null),
  longitude: longitude.nullish().catch(null),
  course: optionalNumber,
  attributes,
})

/** Event with its position, if it has one. */
export const eventWithPosition = z.object({
  event: z.looseObject({ id, type: z.string(), eventTime: instant, deviceId: id, attributes }),
  position: eventPosition.nullable().catch(null),
})

/** Totals of a device on one day in the account's time zone. `spentFuel` is 0 if the fuel is unknown. */
export const summary = z.looseObject({
  deviceId: id,
  startTime: instant,
  distance: z.number(),
  spentFuel: optionalNumber,
})

/** Times of the first and the last position of a device on a day. */
export const summaryDay = z.looseObject({ deviceId: id, startTime: instant, endTime: instant })

export type SummaryDay = z.infer<typeof summaryDay>

/** Totals of a day, with the time zone in which the day began. */
export const day = z.object({ timeZone: z.string(), summary })

/** One measurement of a position. */
export const measurement = z.object({ type: z.string(), position })
