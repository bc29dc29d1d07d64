import { z } from 'zod'
import { id, instant, latitude, longitude, number, owner, ref, text } from './schema-types.ts'

/** Always in kilometers and seconds, regardless of the vehicle's units. */
export const drivingPeriod = z.looseObject({
  id,
  start_time: instant,
  end_time: instant,
  duration: number,
  start_kilometers: number,
  end_kilometers: number,
  origin_lat: latitude.nullish().catch(null),
  origin_lon: longitude.nullish().catch(null),
  destination_lat: latitude.nullish().catch(null),
  destination_lon: longitude.nullish().catch(null),
  driver: ref,
  vehicle: owner,
})

const videoUrl = z.string().nullish()

const cameraMedia = z
  .looseObject({
    id: id.nullish(),
    available: z.boolean().nullish(),
    downloadable_videos: z
      .looseObject({ front_facing_plain_url: videoUrl, driver_facing_plain_url: videoUrl })
      .nullish(),
  })
  .nullish()

/** Always in km/h and g, regardless of the vehicle's units. */
export const performanceEvent = z.looseObject({
  id,
  type: z.string(),
  start_time: instant,
  end_time: instant.nullish(),
  lat: latitude.nullish().catch(null),
  lon: longitude.nullish().catch(null),
  acceleration: number,
  end_bearing: number,
  /** Speeds of the vehicle during the event. */
  m_veh_spd: z.array(z.number().nullable()).nullish().catch(null),
  driver: ref,
  vehicle: owner,
  camera_media: cameraMedia,
})

export const speedingEvent = z.looseObject({
  id,
  type: text,
  start_time: instant,
  end_time: instant.nullish(),
  start_lat: latitude.nullish().catch(null),
  start_lon: longitude.nullish().catch(null),
  end_lat: latitude.nullish().catch(null),
  end_lon: longitude.nullish().catch(null),
  max_vehicle_speed: number,
  avg_vehicle_speed: number,
  max_posted_speed_limit_in_kph: number,
  driver: ref,
  vehicle: owner,
})

/** Record of one of the two event lists. Its wrapper has the name of the list. */
export const safetyEvent = z.union([
  z.object({ driver_performance_event: performanceEvent }),
  z.object({ speeding_event: speedingEvent }),
])

export const faultCode = z.looseObject({
  id,
  code: z.union([z.string().min(1), z.number()]).transform(String),
  code_description: text,
  network: text,
  status: z.string(),
  last_observed_at: instant,
  fmi: number,
  fmi_description: text,
  occurrence_count: number,
  source_address: number,
  vehicle: owner,
})
