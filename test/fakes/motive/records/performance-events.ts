import type { SafetyEvent } from '../../world/truth.ts'
import type { FakeRequest } from '../fake-request.ts'
import { pageOf } from '../pages.ts'
import { describe, placeAt } from '../places/fixes.ts'
import { toDriverSummary, toVehicleSummary } from '../roster/people.ts'
import { toBearing, toDegrees, toEventSpeed, toTime } from '../formats.ts'
import { eventsIn, hasVideo, isSpeeding, hasUnknownEventType, eventTypeOf } from './events.ts'

/** `/v1/driver_performance_events` and `/v2`: all events except speeding. */
export const listPerformanceEvents = (request: FakeRequest): object =>
  pageOf(
    request,
    { list: 'driver_performance_events', item: 'driver_performance_event' },
    eventsIn(request, (event) => !isSpeeding(event), request.is('happeningsChanged', 'honoured')),
    (event) => toEvent(request, event),
  )

/** Returns the g-force: sideways for a turn, otherwise lengthwise. Its sign is undocumented. */
export function accelerationOf(
  request: FakeRequest,
  { kind, gForceForward, gForceSide }: SafetyEvent,
): number {
  const force = (kind === 'harsh_turn' ? gForceSide : gForceForward) ?? 0
  return request.is('acceleration', 'signed') ? force : Math.abs(force)
}

const SAMPLES = [0, 2, 4, 6]

/** Returns speeds in km/h, the highest first. */
export const speedsOf = ({ maxMetersPerSecond }: SafetyEvent): number[] =>
  SAMPLES.map((less) => Math.max(0, Math.round(toEventSpeed(maxMetersPerSecond)) - less))

const coordinate = (request: FakeRequest, degrees: number): number | string =>
  request.is('coordinates', 'numbers') ? toDegrees(degrees) : String(toDegrees(degrees))

function toEvent(request: FakeRequest, event: SafetyEvent): object {
  const { company } = request
  const vehicle = company.vehicle(event.vehicle)
  const speeds = speedsOf(event)
  const start = placeAt(request, event.start, event.startedAt)
  return {
    id: event.number,
    // The measurement of an unknown type is undocumented.
    ...(hasUnknownEventType(request, event) ? {} : { acceleration: accelerationOf(request, event) }),
    duration: (event.endedAt - event.startedAt) / 1000,
    start_time: toTime(event.startedAt),
    end_time: toTime(event.endedAt),
    start_speed: speeds[0],
    end_speed: speeds.at(-1),
    end_bearing: toBearing(event.headingDegrees),
    lat: coordinate(request, start.latitude),
    lon: coordinate(request, start.longitude),
    location: describe(event.start),
    m_gps_lat: [toDegrees(event.start.latitude), toDegrees(event.end.latitude)],
    m_gps_lon: [toDegrees(event.start.longitude), toDegrees(event.end.longitude)],
    m_veh_spd: speeds,
    type: eventTypeOf(request, event),
    coaching_status: 'pending_review',
    driver: toDriverSummary(company.driver(event.driver)),
    vehicle: vehicle && toVehicleSummary(request, vehicle),
    sub_events: [],
    metadata: { severity: 'medium' },
    camera_media: hasVideo(request, event) ? videosOf(request, event) : null,
  }
}

/** Returns the videos of the front camera. There is none of the driver. */
const videosOf = ({ origin }: FakeRequest, { number }: SafetyEvent) => ({
  id: number,
  available: true,
  cam_positions: ['front_facing'],
  downloadable_videos: {
    front_facing_plain_url: `${origin}/_files/media/${number}/front.mp4`,
    driver_facing_plain_url: null,
  },
})
