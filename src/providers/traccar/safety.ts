import type { z } from 'zod'
import { toIso } from '../../domain/time.ts'
import { knotsToKilometersPerHour, rounded } from '../../domain/units.ts'
import type { ProviderApi } from '../provider-api.ts'
import type { NormalizedSafetyEvent, SafetyEventType } from '../../domain/models/safety-event.ts'
import { unmappedValues, createEnumMapping } from '../mapping/enum-mapping.ts'
import { numberIn, textIn } from './attributes.ts'
import { headingOf, sourceIdOf, toPlace } from './mappers.ts'
import { listAt, type Slice } from './readers.ts'
import * as records from './schemas.ts'

/** Alarms that create no safety event, such as `lowBattery`. */
const unmappedAlarms =
  unmappedValues(`general sos vibration movement lowspeed fallDown lowPower lowBattery fault powerOff powerOn door lock
  unlock geofence geofenceEnter geofenceExit gpsAntennaCut tow idle highRpm powerCut powerRestored jamming temperature parking bonnet footBrake fuelLeak tampering removing loss`)

const alarms = createEnumMapping<SafetyEventType>('traccar', 'SafetyEvent.type', {
  ...unmappedAlarms,
  hardBraking: 'harsh_brake',
  hardAcceleration: 'harsh_acceleration',
  hardCornering: 'harsh_turn',
  accident: 'crash',
  overspeed: 'speeding',
  fatigueDriving: 'drowsiness',
  laneChange: 'unsafe_lane_change',
})

type Event = Pick<z.infer<typeof records.eventWithPosition>['event'], 'type' | 'attributes'>

/**
 * Type of an event; null if it is not a safety event. An event may have several alarms, separated by commas. The first
 * safety alarm decides.
 */
function typeOf({ type, attributes }: Event): SafetyEventType | null {
  if (type === 'deviceOverspeed') return 'speeding'
  const raised = textIn(attributes, 'alarm')?.split(',') ?? []
  return raised.map((alarm) => alarms.orNull(alarm.trim())).find((type) => type !== null) ?? null
}

/**
 * Reads the safety events of some devices in a period, each with its position or null. The result includes malformed
 * events: the sync reports them.
 */
export async function readSafetyEvents(api: ProviderApi, { ids, from, to }: Slice): Promise<unknown[]> {
  const found = await listAt(api, '/reports/events', {
    deviceId: ids,
    type: ['deviceOverspeed', 'alarm'],
    from: toIso(from),
    // Traccar includes the end of the period; a slice excludes it.
    to: toIso(to - 1),
  })
  const events = found.filter(isSafety)
  const positions = await positionsOf(api, events)
  return events.map((event) => ({ event, position: positions.get(positionIdOf(event)) ?? null }))
}

const shape = records.eventWithPosition.shape.event.pick({ type: true, attributes: true })

/** Whether an event is a safety event. An event whose type is unreadable passes, so that the mapping rejects it. */
function isSafety(event: unknown): boolean {
  const { success, data } = shape.safeParse(event)
  return !success || typeOf(data) !== null
}

const positionIdOf = (event: unknown): number =>
  Number((event as { positionId?: unknown } | null)?.positionId)

/** Maximum number of ids per request. They are part of the URL, and servers limit its length. */
const IDS_PER_REQUEST = 100

async function positionsOf(api: ProviderApi, events: readonly unknown[]): Promise<Map<number, unknown>> {
  const ids = [...new Set(events.map(positionIdOf))].filter((id) => id > 0)
  const positions = new Map<number, unknown>()
  for (let first = 0; first < ids.length; first += IDS_PER_REQUEST) {
    const found = await listAt(api, '/positions', { id: ids.slice(first, first + IDS_PER_REQUEST) })
    for (const position of found) positions.set(Number((position as { id?: unknown } | null)?.id), position)
  }
  return positions
}

export function toSafetyEvent({
  event,
  position,
}: z.infer<typeof records.eventWithPosition>): NormalizedSafetyEvent {
  const { attributes } = event
  const type = typeOf(event)
  if (type === null) throw new Error(`${event.type} is not a safety event`)
  return {
    sourceId: sourceIdOf(event.id),
    type,
    vehicleSourceId: sourceIdOf(event.deviceId),
    driverSourceId: position && textIn(position.attributes, 'driverUniqueId'),
    startedAt: event.eventTime,
    endedAt: null,
    startLocation: position && toPlace(position.latitude, position.longitude),
    endLocation: null,
    sourceType: textIn(attributes, 'alarm') ?? event.type,
    maximumSpeedKph: inKilometersPerHour(numberIn(attributes, 'speed')),
    averageSpeedKph: null,
    roadSpeedLimitKph: inKilometersPerHour(numberIn(attributes, 'speedLimit')),
    gForceForwardBackward: null,
    gForceSideToSide: null,
    headingDegrees: position?.course == null ? null : headingOf(position.course),
    frontCamera: null,
    rearCamera: null,
    extensions: null,
  }
}

const inKilometersPerHour = (knots: number | null): number | null =>
  knots === null ? null : rounded(knotsToKilometersPerHour(knots), 2)
