import type { SafetyEvent } from '../../world/truth.ts'
import { atMost, badRequest, listed, required, requiredTime, timeIn, type FakeRequest } from '../http/call.ts'
import { id } from '../ids.ts'
import { pageOf } from '../http/pages.ts'
import { MILLISECONDS_PER_DAY, MILLISECONDS_PER_HOUR, toTime } from '../formats.ts'

interface Media {
  readonly event: SafetyEvent
  readonly input: 'dashcamRoadFacing' | 'dashcamDriverFacing'
  readonly url: string
}

/** Whether a vehicle has a Vehicle Gateway (Samsara's tracker) but no camera. */
export const hasNoCamera = (vehicle: number): boolean => vehicle % 4 === 2

/** Returns the cameras that recorded an event. */
export function camerasOf({ kind, number, vehicle }: SafetyEvent): Media['input'][] {
  if (kind === 'speeding' || number % 3 === 0 || hasNoCamera(vehicle)) return []
  return number % 3 === 1 ? ['dashcamRoadFacing'] : ['dashcamRoadFacing', 'dashcamDriverFacing']
}

const URL_LIFETIME_MS = 8 * MILLISECONDS_PER_HOUR

/** Returns the videos of an event. Their URLs expire. */
export const mediaOf = ({ organization, origin }: FakeRequest, event: SafetyEvent): Media[] =>
  camerasOf(event).map((input) => ({
    event,
    input,
    url: `${origin}/_files/media/${event.number}/${input}.mp4?expires=${organization.now + URL_LIFETIME_MS}`,
  }))

const MAX_VEHICLES = 20

/** `/cameras/media`: of at most 20 vehicles and 24 hours. Safety events have other names for the cameras. */
export function camerasMedia(request: FakeRequest): object {
  const { organization, query, switches } = request
  required(query, 'vehicleIds')
  const ids = listed(query, 'vehicleIds')
  atMost(ids, MAX_VEHICLES, 'vehicleIds')
  const [from, to] = [requiredTime(query, 'startTime'), requiredTime(query, 'endTime')]
  if (to - from > MILLISECONDS_PER_DAY) throw badRequest('The time range is longer than 24 hours.')
  const availableAfter = timeIn(query, 'availableAfterTime') ?? -Infinity
  const media = organization
    .vehiclesOf(ids)
    .flatMap(({ number }) => organization.safetyEventsOf(number))
    .filter(({ startedAt, arrivedAt }) => startedAt >= from && startedAt < to && arrivedAt > availableAfter)
    .flatMap((event) => mediaOf(request, event))
  const positionOf = ({ event, input }: Media) => [event.number, input === 'dashcamRoadFacing' ? 0 : 1]
  const sorted = media.toSorted((one, other) => one.event.number - other.event.number)
  const { items, pagination } = pageOf(request, sorted, positionOf, Number(switches.pageSize))
  return { data: { media: items.map((item) => toMedia(request, item)) }, pagination }
}

const toMedia = ({ organization, switches }: FakeRequest, { event, input, url }: Media) => ({
  vehicleId: id('vehicle', event.vehicle),
  startTime: toTime(event.startedAt, switches),
  endTime: toTime(event.endedAt, switches),
  availableAtTime: toTime(event.arrivedAt, switches),
  input: input === 'dashcamRoadFacing' ? 'dashcamForwardFacing' : 'dashcamInwardFacing',
  mediaType: 'videoHighRes',
  triggerReason: 'safetyEvent',
  urlInfo: { url, urlExpiryTime: toTime(organization.now + URL_LIFETIME_MS, switches) },
})
