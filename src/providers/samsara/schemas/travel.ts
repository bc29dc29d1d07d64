import { z } from 'zod'
import { optionalMember } from '../../mapping/optional-member.ts'
import { optionalNumber } from '../../mapping/numbers.ts'
import { readableId } from '../../mapping/source-id.ts'
import { id, instant, owner, place, reference, text } from './schema-types.ts'

const optionalPlace = place.nullish()

/** Trip of the stream, with details from the older list: only that list has driver and distance. */
export const trip = z.object({
  trip: z.looseObject({
    asset: owner,
    tripStartTime: instant,
    tripEndTime: instant,
    startLocation: optionalPlace,
    endLocation: optionalPlace,
  }),
  details: z
    .looseObject({
      /** 0 means no driver. Samsara sends a number here. */
      driverId: readableId.nullish(),
      distanceMeters: optionalNumber,
    })
    .nullable(),
})

export const safetyEvent = z.looseObject({
  id,
  asset: owner,
  driver: reference,
  behaviorLabels: z.array(z.looseObject({ label: text })),
  /** A date-time as text, despite the name; `endMs` too. */
  startMs: instant,
  endMs: optionalMember(instant),
  maxAccelerationGForce: optionalNumber,
  location: place.extend({ headingDegrees: optionalNumber }).nullish(),
  speedingMetadata: z
    .looseObject({
      maxSpeedKilometersPerHour: optionalNumber,
      postedSpeedLimitKilometersPerHour: optionalNumber,
    })
    .nullish(),
  media: z.array(z.looseObject({ input: text, url: text })).nullish(),
})

const gps = place.extend({
  time: instant,
  headingDegrees: optionalNumber,
  speedMilesPerHour: optionalNumber,
  reverseGeo: z.looseObject({ formattedLocation: text }).nullish(),
})

export const location = z.object({ vehicle: owner, gps })

export const trailerLocation = z.looseObject({ id, gps })

const reading = z.looseObject({ value: optionalNumber }).nullish()

/** Latest value of each type; absent if the vehicle does not report it. The types come from two requests. */
export const latest = z.object({
  first: z.looseObject({
    id,
    gps,
    engineState: z.looseObject({ value: text }).nullish(),
    obdOdometerMeters: reading,
  }),
  more: z
    .looseObject({ fuelPercent: reading, obdEngineSeconds: reading, gpsOdometerMeters: reading })
    .nullable(),
})
