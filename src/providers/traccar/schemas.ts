import { z } from 'zod'
import { optionalMember } from '../mapping/optional-member.ts'
import { toInstant } from '../../domain/time.ts'
import { optionalBoolean } from '../mapping/boolean.ts'
import { decimalOrNull, optionalNumber, optionalYear, integerValue } from '../mapping/numbers.ts'
import { readableId } from '../mapping/source-id.ts'
import { optionalText, readableText } from '../mapping/text.ts'
import { latitude, longitude } from '../mapping/valid-coordinates.ts'

/** Schemas of Traccar's records. Speeds are in knots, lengths in meters, `hours` in milliseconds. */

/** Date-time. Older servers omit the colon in its UTC offset. */
const instant = z.string().transform((text, context) => {
  const at = toInstant(text.replace(/([+-]\d{2})(\d{2})$/, '$1:$2'))
  if (at === null) context.addIssue({ code: 'custom', message: 'not a date-time' })
  return at ?? 0
})
const id = integerValue.refine((value) => value > 0, 'not an id')
/** Optional reference to another record, which Traccar sends as 0 if there is none. */
const reference = integerValue.nullish().transform((value) => (value ? value : null))

/** Schema of an object with attributes. Devices and administrators define their names and values. */
const attributesWith = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.preprocess((value) => value ?? {}, z.looseObject(shape))

const driverUniqueId = readableId.nullish().transform((value) => value ?? null)

export const user = z.looseObject({ id, name: optionalText, email: optionalText })

export const group = z.looseObject({ id, name: optionalText, groupId: reference })

export const driver = z.looseObject({
  id,
  name: optionalText,
  uniqueId: readableId,
  attributes: attributesWith({ email: optionalText, mail: optionalText, phone: optionalText }),
})

export const device = z.looseObject({
  id,
  name: optionalText,
  uniqueId: optionalText,
  disabled: optionalBoolean,
  lastUpdate: optionalMember(instant),
  groupId: reference,
  model: optionalText,
  attributes: attributesWith({
    vin: optionalText,
    make: optionalText,
    model: optionalText,
    year: optionalYear,
    licensePlate: optionalText,
    plate: optionalText,
    plateState: optionalText,
    fuelType: optionalText,
    tankCapacity: optionalNumber,
    fuelTankCapacity: optionalNumber,
  }),
})

/** Last update of a device. An unreadable time counts as recent, so that the data of the device is read. */
export const updatedDevice = z.looseObject({ id, lastUpdate: optionalMember(instant).catch(Infinity) })

const positionAttributes = attributesWith({
  driverUniqueId,
  ignition: optionalBoolean,
  odometer: optionalNumber,
  totalDistance: optionalNumber,
  fuelLevel: optionalNumber,
  hours: optionalNumber,
  rpm: optionalNumber,
  coolantTemp: optionalNumber,
  power: optionalNumber,
  /** An empty text means that there are no fault codes. */
  dtcs: readableText.nullish(),
})

export const position = z.looseObject({
  id: integerValue,
  deviceId: id,
  fixTime: instant,
  outdated: optionalBoolean,
  latitude,
  longitude,
  speed: optionalNumber,
  course: optionalNumber,
  address: optionalText,
  attributes: positionAttributes,
})

export const trip = z.looseObject({
  deviceId: id,
  startTime: instant,
  endTime: instant,
  startLat: optionalMember(latitude),
  startLon: optionalMember(longitude),
  endLat: optionalMember(latitude),
  endLon: optionalMember(longitude),
  distance: optionalNumber,
  duration: optionalNumber,
  driverUniqueId,
})

/** Fields of a position that an event needs. */
const eventPosition = z.looseObject({
  latitude: optionalMember(latitude),
  longitude: optionalMember(longitude),
  course: optionalNumber,
  attributes: attributesWith({ driverUniqueId }),
})

/** Event with its position, if it has one. */
export const eventWithPosition = z.object({
  event: z.looseObject({
    id,
    type: z.string(),
    eventTime: instant,
    deviceId: id,
    positionId: reference,
    attributes: attributesWith({ alarm: optionalText, speed: optionalNumber, speedLimit: optionalNumber }),
  }),
  position: eventPosition.nullable(),
})

/** Totals of a device on one day in the account's time zone. `spentFuel` is 0 if the consumption is unknown. */
export const summary = z.looseObject({
  deviceId: id,
  startTime: instant,
  distance: decimalOrNull,
  spentFuel: optionalNumber,
})

/** Times of the first and the last position of a device on a day. */
export const summaryDay = z.looseObject({ deviceId: id, startTime: instant, endTime: instant })

export type SummaryDay = z.infer<typeof summaryDay>

/** Totals of a day, with the time zone that defines the day. */
export const day = z.object({ timeZone: z.string(), summary })

/** One of the measurements that a position contains, by its type. */
export const measurement = z.object({ type: z.string(), position })
