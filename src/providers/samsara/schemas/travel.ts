import { z } from 'zod'
import { id, instant, owner, place, reference, text } from './schema-types.ts'

/** Where what happened happened: it did, wherever Samsara says that it was. */
const somewhere = place.nullish().catch(null)

/** Beside a trip of the stream its driver and distance, which only the older list tells. */
export const trip = z.object({
  trip: z.looseObject({
    asset: owner,
    tripStartTime: instant,
    tripEndTime: instant,
    startLocation: somewhere,
    endLocation: somewhere,
  }),
  details: z
    .looseObject({
      /** 0 is nobody. */
      driverId: z.number().nullish(),
      distanceMeters: z.number().min(0).nullish().catch(null),
    })
    .nullable(),
})

export const safetyEvent = z.looseObject({
  id,
  asset: owner,
  driver: reference,
  behaviorLabels: z.array(z.looseObject({ label: z.string().nullish() })),
  /** Texts, whatever their name says. */
  startMs: instant,
  endMs: instant.nullish(),
  maxAccelerationGForce: z.number().nullish(),
  location: place.extend({ headingDegrees: z.number().nullish() }).nullish().catch(null),
  speedingMetadata: z
    .looseObject({
      maxSpeedKilometersPerHour: z.number().nullish(),
      postedSpeedLimitKilometersPerHour: z.number().nullish(),
    })
    .nullish(),
  media: z.array(z.looseObject({ input: z.string().nullish(), url: z.string().nullish() })).nullish(),
})

const gps = place.extend({
  time: instant,
  headingDegrees: z.number().nullish(),
  speedMilesPerHour: z.number().min(0).nullish().catch(null),
  reverseGeo: z.looseObject({ formattedLocation: text }).nullish(),
})

export const location = z.object({ vehicle: owner, gps })

export const trailerLocation = z.looseObject({ id, gps })

const reading = z.looseObject({ value: z.number() }).nullish()

/** The newest of each type; what a vehicle does not tell is not there. */
export const latest = z.object({
  first: z.looseObject({
    id,
    gps,
    engineState: z.looseObject({ value: z.string() }).nullish(),
    obdOdometerMeters: reading,
  }),
  more: z
    .looseObject({ fuelPercent: reading, obdEngineSeconds: reading, gpsOdometerMeters: reading })
    .nullable(),
})
