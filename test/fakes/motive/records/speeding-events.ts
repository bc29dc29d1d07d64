import type { SafetyEvent } from '../../world/truth.ts'
import type { Asked } from '../asked.ts'
import { id } from '../ids.ts'
import { pageOf } from '../pages.ts'
import { placeAt } from '../places/fixes.ts'
import { toDriverSummary, toEldSummary } from '../roster/people.ts'
import { isMetricVehicle } from '../company.ts'
import { rounded, toDegrees, toEventSpeed, toTime } from '../wording.ts'
import { eventsIn, isSpeeding } from './events.ts'

/** `/v1/speeding_events`: where a posted limit was exceeded. */
export const listSpeedingEvents = (asked: Asked): object =>
  pageOf(
    asked,
    { list: 'speeding_events', item: 'speeding_event' },
    eventsIn(asked, isSpeeding, asked.is('speedingChanged', 'honoured')),
    (event) => toSpeeding(asked, event),
  )

function toSpeeding(asked: Asked, event: SafetyEvent): object {
  const seconds = (event.endedAt - event.startedAt) / 1000
  const [start, end] = [
    placeAt(asked, event.start, event.startedAt),
    placeAt(asked, event.end, event.endedAt),
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
    ...whoseOf(asked, event),
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

function whoseOf(asked: Asked, event: SafetyEvent) {
  const vehicle = asked.company.vehicle(event.vehicle)
  return {
    driver: toDriverSummary(asked.company.driver(event.driver)),
    eld_device: vehicle && toEldSummary(vehicle),
    vehicle: vehicle && {
      id: id('vehicle', vehicle.number),
      number: vehicle.name,
      status: vehicle.isActive ? 'active' : 'deactivated',
      metric_units: asked.isMetric(isMetricVehicle(vehicle.number)),
    },
  }
}
