import type { SafetyEvent } from '../../world/truth.ts'
import type { FakeRequest } from '../fake-request.ts'
import { id } from '../ids.ts'
import { pageOf } from '../pages.ts'
import { placeAt } from '../places/fixes.ts'
import { toDriverSummary, toEldSummary } from '../roster/people.ts'
import { isMetricVehicle } from '../company.ts'
import { rounded, toDegrees, toEventSpeed, toTime } from '../formats.ts'
import { eventsIn, isSpeeding } from './events.ts'

/** `/v1/speeding_events`: driving above the posted limit. */
export const listSpeedingEvents = (request: FakeRequest): object =>
  pageOf(
    request,
    { list: 'speeding_events', item: 'speeding_event' },
    eventsIn(request, isSpeeding, request.is('speedingChanged', 'honoured')),
    (event) => toSpeeding(request, event),
  )

function toSpeeding(request: FakeRequest, event: SafetyEvent): object {
  const seconds = (event.endedAt - event.startedAt) / 1000
  const [start, end] = [
    placeAt(request, event.start, event.startedAt),
    placeAt(request, event.end, event.endedAt),
  ]
  return {
    id: event.number,
    type: 'posted',
    status: 'valid',
    coaching_status: 'coachable',
    start_time: toTime(event.startedAt),
    end_time: toTime(event.endedAt),
    duration: seconds,
    ...toSpeeds(event, seconds),
    start_lat: toDegrees(start.latitude),
    start_lon: toDegrees(start.longitude),
    end_lat: toDegrees(end.latitude),
    end_lon: toDegrees(end.longitude),
    ...summariesOf(request, event),
    metadata: { severity: 'medium', trigger: 'speeding' },
  }
}

function toSpeeds(event: SafetyEvent, seconds: number) {
  const limit = toEventSpeed(event.limitMetersPerSecond ?? 0)
  const [most, average] = [event.maxMetersPerSecond, event.averageMetersPerSecond].map(toEventSpeed) as [
    number,
    number,
  ]
  return {
    speeding_distance_in_km: rounded((average * seconds) / 3600, 6),
    max_over_speed_in_kph: rounded(most - limit, 6),
    avg_over_speed_in_kph: rounded(average - limit, 6),
    min_posted_speed_limit_in_kph: limit,
    max_posted_speed_limit_in_kph: limit,
    avg_vehicle_speed: average,
    min_vehicle_speed: average,
    max_vehicle_speed: most,
  }
}

function summariesOf(request: FakeRequest, event: SafetyEvent) {
  const vehicle = request.company.vehicle(event.vehicle)
  return {
    driver: toDriverSummary(request.company.driver(event.driver)),
    eld_device: vehicle && toEldSummary(vehicle),
    vehicle: vehicle && {
      id: id('vehicle', vehicle.number),
      number: vehicle.name,
      status: vehicle.isActive ? 'active' : 'deactivated',
      metric_units: request.isMetric(isMetricVehicle(vehicle.number)),
    },
  }
}
