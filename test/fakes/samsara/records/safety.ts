import type { SafetyEvent, Vehicle } from '../../world/truth.ts'
import { listed, oneOf, required, requiredTime, timeIn, type FakeRequest } from '../http/call.ts'
import { id, safetyId } from '../ids.ts'
import { nameOf } from '../roster/drivers.ts'
import { pageOf, streamPagination } from '../http/pages.ts'
import { rounded, toKilometersPerHour, toTime } from '../formats.ts'
import { hasNoCamera, mediaOf } from './media.ts'
import { toStreamPlace } from './trips.ts'

/** `/safety-events/stream`: events in the order of updates or creation. Without an end time the stream never ends. */
export function safetyEventsStream(request: FakeRequest): object {
  const { organization, query, switches } = request
  const by = oneOf(query, 'queryByTimeField', ['updatedAtTime', 'createdAtTime'])
  const timeOf = (event: SafetyEvent) => (by === 'updatedAtTime' ? event.updatedAt : event.arrivedAt)
  const [from, to] = [requiredTime(query, 'startTime'), timeIn(query, 'endTime') ?? Infinity]
  const events = requestedEvents(request, organization.vehiclesOf(listed(query, 'assetIds')))
    .filter((event) => timeOf(event) >= from && timeOf(event) < to)
    .toSorted((one, other) => timeOf(one) - timeOf(other) || one.number - other.number)
  const positionOf = (event: SafetyEvent) => [timeOf(event), event.number]
  const { items, pagination } = pageOf(request, events, positionOf, Number(switches.pageSize))
  const last = items.at(-1)
  return {
    data: items.map((event) => toSafetyEvent(request, event)),
    pagination:
      to === Infinity
        ? streamPagination(request, last && positionOf(last), pagination.hasNextPage)
        : pagination,
  }
}

/** `/safety-events`: events by id. Commas separate the ids, and also the two UUIDs of an id. */
export function safetyEventsById(request: FakeRequest): object {
  const { organization, query, switches } = request
  required(query, 'safetyEventIds')
  const uuids = listed(query, 'safetyEventIds')
  const ids = new Set(uuids.flatMap((uuid, at) => (at % 2 === 0 ? [`${uuid},${uuids[at + 1]}`] : [])))
  const events = requestedEvents(request, organization.vehicles()).filter(({ number }) =>
    ids.has(safetyId(number)),
  )
  const positionOf = ({ number }: SafetyEvent) => [number]
  const sorted = events.toSorted((one, other) => one.number - other.number)
  const { items, pagination } = pageOf(request, sorted, positionOf, Number(switches.pageSize))
  return { data: items.map((event) => toSafetyEvent(request, event)), pagination }
}

/** Returns the events of vehicles. Those of vehicles without a camera must be requested by a parameter. */
function requestedEvents({ organization, query }: FakeRequest, vehicles: readonly Vehicle[]): SafetyEvent[] {
  const isIncluded = ({ number }: Vehicle) =>
    query.get('includeVgOnlyEvents') === 'true' || !hasNoCamera(number)
  return vehicles.filter(isIncluded).flatMap(({ number }) => [...organization.safetyEventsOf(number)])
}

const labels = {
  harsh_brake: 'Braking',
  harsh_acceleration: 'Acceleration',
  harsh_turn: 'HarshTurn',
  crash: 'Crash',
} as const

const UNKNOWN_LABEL_EVERY = 7

/** Returns the label of an event. Depending on a switch, some events have an unknown one. */
export function labelOf(event: SafetyEvent, unknownLabels: boolean): string {
  if (unknownLabels && event.number % UNKNOWN_LABEL_EVERY === 0) return 'LooseCargoDetected'
  if (event.kind !== 'speeding') return labels[event.kind]
  return {
    light: 'LightSpeeding',
    moderate: 'ModerateSpeeding',
    heavy: 'HeavySpeeding',
    severe: 'SevereSpeeding',
  }[severityOf(event)]
}

export function severityOf({ maxMetersPerSecond, limitMetersPerSecond }: SafetyEvent) {
  const over = toKilometersPerHour(maxMetersPerSecond - (limitMetersPerSecond ?? 0))
  if (over < 8) return 'light'
  if (over < 16) return 'moderate'
  return over < 24 ? 'heavy' : 'severe'
}

/** Returns the larger g-force of both directions; 0 if unknown. */
export const gForceOf = ({ gForceForward, gForceSide }: SafetyEvent) =>
  rounded(Math.max(Math.abs(gForceForward ?? 0), Math.abs(gForceSide ?? 0)), 3)

function toSafetyEvent(request: FakeRequest, event: SafetyEvent): object {
  const { organization, query, switches } = request
  const vehicle = query.get('includeAsset') === 'true' && organization.vehicle(event.vehicle)
  const media = mediaOf(request, event)
  return {
    id: safetyId(event.number),
    asset: {
      id: id('vehicle', event.vehicle),
      ...(vehicle && { name: vehicle.name, type: 'vehicle', vin: vehicle.vin }),
    },
    driver: toDriver(request, event),
    behaviorLabels: [{ label: labelOf(event, switches.unknownLabels === 'yes'), source: 'automated' }],
    contextLabels: [],
    eventState: event.updatedAt > event.arrivedAt ? 'reviewed' : 'needsReview',
    createdAtTime: toTime(event.arrivedAt, switches),
    updatedAtTime: toTime(event.updatedAt, switches),
    startMs: toTime(event.startedAt, switches),
    endMs: toTime(event.endedAt, switches),
    maxAccelerationGForce: gForceOf(event),
    location: toStreamPlace({ ...event.start, at: event.startedAt }, switches, event.headingDegrees),
    ...(event.limitMetersPerSecond !== null && {
      speedingMetadata: {
        maxSpeedKilometersPerHour: Math.round(toKilometersPerHour(event.maxMetersPerSecond)),
        postedSpeedLimitKilometersPerHour: Math.round(toKilometersPerHour(event.limitMetersPerSecond)),
      },
    }),
    ...(media.length > 0 && { media: media.map(({ input, url }) => ({ input, url })) }),
    inboxEventUrl: `${request.origin}/_files/inbox/${event.number}`,
    incidentReportUrl: `${request.origin}/_files/incident/${event.number}`,
  }
}

function toDriver({ organization, query, switches }: FakeRequest, event: SafetyEvent): object {
  if (event.driver === null) return { id: switches.noDriver === 'empty' ? '' : '0' }
  const driver = query.get('includeDriver') === 'true' && organization.driver(event.driver)
  return { id: id('driver', event.driver), ...(driver && { name: nameOf(driver) }) }
}
