import type { SafetyEvent } from '../../world/truth.ts'
import type { Asked } from '../asked.ts'
import { pageOf } from '../pages.ts'
import { describe, placeAt } from '../places/fixes.ts'
import { toDriverSummary, toVehicleSummary } from '../roster/people.ts'
import { toBearing, toDegrees, toEventSpeed, toTime } from '../wording.ts'
import { eventsIn, isFilmed, isSpeeding, isUnknown, wordOf } from './events.ts'

/** `/v1/driver_performance_events` and `/v2`: all but speeding. */
export const listPerformanceEvents = (asked: Asked): object =>
  pageOf(
    asked,
    { list: 'driver_performance_events', item: 'driver_performance_event' },
    eventsIn(asked, (event) => !isSpeeding(event), asked.is('happeningsChanged', 'honoured')),
    (event) => toEvent(asked, event),
  )

/** The g-force along the road or across it; whether what slows has a sign nobody says. */
export function accelerationOf(asked: Asked, { kind, gForceForward, gForceSide }: SafetyEvent): number {
  const force = (kind === 'harsh_turn' ? gForceSide : gForceForward) ?? 0
  return asked.is('acceleration', 'signed') ? force : Math.abs(force)
}

const SAMPLES = [0, 2, 4, 6]

/** Whole kilometers per hour, from the fastest on down. */
export const speedsOf = ({ maxMetersPerSecond }: SafetyEvent): number[] =>
  SAMPLES.map((less) => Math.max(0, Math.round(toEventSpeed(maxMetersPerSecond)) - less))

const coordinate = (asked: Asked, degrees: number): number | string =>
  asked.is('coordinates', 'numbers') ? toDegrees(degrees) : String(toDegrees(degrees))

function toEvent(asked: Asked, event: SafetyEvent): object {
  const { company } = asked
  const vehicle = company.vehicle(event.vehicle)
  const speeds = speedsOf(event)
  const start = placeAt(asked, event.start, event.startedAt)
  return {
    id: event.number,
    // Of new kinds nobody knows what they measure.
    ...(isUnknown(asked, event) ? {} : { acceleration: accelerationOf(asked, event) }),
    duration: (event.endedAt - event.startedAt) / 1000,
    start_time: toTime(event.startedAt),
    end_time: toTime(event.endedAt),
    start_speed: speeds[0],
    end_speed: speeds.at(-1),
    end_bearing: toBearing(event.headingDegrees),
    lat: coordinate(asked, start.latitude),
    lon: coordinate(asked, start.longitude),
    location: describe(event.start),
    m_gps_lat: [toDegrees(event.start.latitude), toDegrees(event.end.latitude)],
    m_gps_lon: [toDegrees(event.start.longitude), toDegrees(event.end.longitude)],
    m_veh_spd: speeds,
    type: wordOf(asked, event),
    coaching_status: 'pending_review',
    driver: toDriverSummary(company.driver(event.driver)),
    vehicle: vehicle && toVehicleSummary(asked, vehicle),
    sub_events: [],
    metadata: { severity: 'medium' },
    camera_media: isFilmed(asked, event) ? filmsOf(asked, event) : null,
  }
}

/** The driver's side was not filmed. */
const filmsOf = ({ origin }: Asked, { number }: SafetyEvent) => ({
  id: number,
  available: true,
  cam_positions: ['front_facing'],
  downloadable_videos: {
    front_facing_plain_url: `${origin}/_files/media/${number}/front.mp4`,
    driver_facing_plain_url: null,
  },
})
