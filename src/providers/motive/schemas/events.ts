import { z } from 'zod'
import { optionalMember } from '../../mapping/optional-member.ts'
import { optionalBoolean } from '../../mapping/boolean.ts'
import { latitude, longitude } from '../../mapping/valid-coordinates.ts'
import { id, instant, number, owner, ref, text } from './schema-types.ts'

/** Always in kilometers and seconds, regardless of the vehicle's units. */
export const drivingPeriod = z.looseObject({
  id,
  start_time: instant,
  end_time: instant,
  duration: number,
  start_kilometers: number,
  end_kilometers: number,
  origin_lat: optionalMember(latitude),
  origin_lon: optionalMember(longitude),
  destination_lat: optionalMember(latitude),
  destination_lon: optionalMember(longitude),
  driver: ref,
  vehicle: owner,
})

const videoUrl = text

const cameraMedia = z
  .looseObject({
    id: id.nullish(),
    available: optionalBoolean,
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
  end_time: optionalMember(instant),
  lat: optionalMember(latitude),
  lon: optionalMember(longitude),
  acceleration: number,
  end_bearing: number,
  /** Speeds of the vehicle during the event. */
  m_veh_spd: z.array(number).nullish(),
  driver: ref,
  vehicle: owner,
  camera_media: cameraMedia,
})

export const speedingEvent = z.looseObject({
  id,
  type: text,
  start_time: instant,
  end_time: optionalMember(instant),
  start_lat: optionalMember(latitude),
  start_lon: optionalMember(longitude),
  end_lat: optionalMember(latitude),
  end_lon: optionalMember(longitude),
  max_vehicle_speed: number,
  avg_vehicle_speed: number,
  max_posted_speed_limit_in_kph: number,
  driver: ref,
  vehicle: owner,
})

/** Record of one of the two event lists. Its wrapper has the name of the list. */
export const safetyEvent = z.object({
  driver_performance_event: performanceEvent.optional(),
  speeding_event: speedingEvent.optional(),
})

export const faultCode = z.looseObject({
  id,
  code: id,
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
