import type { EventRow } from '../../../../src/storage/outbox.ts'
import { SyncStatus, ProviderRequest } from '../../../../src/subgraphs/connections/syncs/sync.ts'
import type { Driver } from '../../../../src/subgraphs/fleet/driver.ts'
import type { Vehicle } from '../../../../src/subgraphs/fleet/vehicle.ts'
import type { SafetyEvent } from '../../../../src/subgraphs/records/safety/safety-event.ts'
import type { Trip } from '../../../../src/subgraphs/records/trip.ts'
import { EngineState } from '../../../../src/subgraphs/schema/enums/engine-state.ts'
import {
  agreementRow,
  DAY,
  eventRow,
  latestLocationRow,
  locationRow,
  MINUTE,
  none,
  NOON,
  type Owner,
  rawRow,
  type Records,
  safetyEventRow,
  syncRow,
  tripRow,
  unknownId,
} from '../../factories.ts'
import { latestRawOwnerId } from '../../../../src/subgraphs/tables/raw-record.ts'
import { captureRow, cardRow, purchaseCheckRow } from '../../rows/purchase-rows.ts'
import { variedMeasurements } from './measurements.ts'
import { variedRoster } from './roster.ts'

const times = <T>(count: number, make: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at))

/** Returns a fleet with missing values, deleted records, and references to rows that do not exist. */
export function variedRecords(owner: Owner): Records {
  const roster = variedRoster(owner)
  const { groups, drivers, vehicles, trailers, devices } = roster
  const trips = variedTrips(owner, vehicles, drivers)
  const safetyEvents = variedSafetyEvents(owner, vehicles, drivers)
  const syncs = variedSyncs(owner)
  const measured = variedMeasurements(owner, roster, syncs)
  const { hosLogs, hosDailyLogs, faultCodeEvents, vehicleDays, iftaMonths } = measured
  const records = { ...none, ...roster, ...measured, trips, safetyEvents, syncs }
  const sent = [groups, drivers, vehicles, trailers, devices, trips, safetyEvents, hosLogs, hosDailyLogs].map(
    ([first]) => first!.id,
  )
  const summed = [...faultCodeEvents.slice(0, 2), ...vehicleDays.slice(0, 2), ...iftaMonths.slice(0, 2)]
  const latest = [vehicles[0]!.id, trailers[0]!.id, drivers[0]!.id].map(latestRawOwnerId)
  return {
    ...records,
    ...variedPlaces(owner, vehicles, drivers),
    raw: [...sent, ...summed.map(({ id }) => id), ...latest].map((id) => rawRow(owner, id)),
    agreements: [
      agreementRow(owner),
      agreementRow(owner, { acceptedBy: {}, location: 'Austin', ipAddress: null }),
    ],
    events: variedEvents(owner, records),
    purchaseChecks: variedPurchases(owner, vehicles, drivers),
    purchaseCards: [
      cardRow(owner, { vehicleId: vehicles[0]!.id }),
      cardRow(owner, { vehicleId: vehicles[1]!.id, driverId: drivers[0]!.id }),
    ],
  }
}

const variedPurchases = (owner: Owner, vehicles: readonly Vehicle[], drivers: readonly Driver[]) => [
  ...captured(owner, { vehicleId: vehicles[0]!.id, driverId: drivers[0]!.id, cardId: 'card-1' }),
  purchaseCheckRow(owner, {
    vehicleId: vehicles[1]!.id,
    driverId: unknownId('driver'),
    merchant: { name: 'A shop', categoryCode: '5541' },
    fuel: null,
    metadata: null,
    reasons: [],
  }),
  purchaseCheckRow(owner, { vehicleId: unknownId('vehicle') }),
]

const captured = (owner: Owner, values: Parameters<typeof purchaseCheckRow>[1]) => {
  const authorization = purchaseCheckRow(owner, values)
  return [authorization, captureRow(owner, authorization)]
}

const variedSyncs = (owner: Owner) => [
  syncRow(owner, {
    status: SyncStatus.FAILED,
    failureReason: 'The provider refused the credentials.',
    progress: 12.5,
  }),
  syncRow(owner),
  syncRow(owner, {
    status: SyncStatus.IN_PROGRESS,
    completedAt: null,
    progress: 40,
    startFrom: NOON - 30 * DAY,
    providerRequests: [ProviderRequest.HISTORICAL_FILES],
  }),
]

const variedTrips = (owner: Owner, vehicles: readonly Vehicle[], drivers: readonly Driver[]): Trip[] => [
  ...times(9, (at) =>
    tripRow(owner, {
      vehicleId: vehicles[at % 3]!.id,
      driverId: at % 4 === 3 ? null : drivers[at % 3]!.id,
      startedAt: NOON - DAY + Math.floor(at / 2) * 60 * MINUTE,
      endedAt: NOON - DAY + at * 60 * MINUTE,
      endLongitude: -95 + at,
      endLatitude: 29.5,
      modifiedAt: NOON - at * MINUTE,
    }),
  ),
  tripRow(owner, {
    vehicleId: unknownId('vehicle'),
    driverId: unknownId('driver'),
    distance: null,
    startLongitude: null,
  }),
  tripRow(owner, { vehicleId: vehicles[0]!.id, deletedAt: NOON - MINUTE }),
]

const variedSafetyEvents = (
  owner: Owner,
  vehicles: readonly Vehicle[],
  drivers: readonly Driver[],
): SafetyEvent[] => [
  safetyEventRow(owner, {
    vehicleId: vehicles[0]!.id,
    driverId: drivers[0]!.id,
    endLongitude: -97.6,
    endLatitude: 30.4,
    frontCamera: { sourceId: 'film-1', available: true },
    rearCamera: { sourceId: null, available: false },
    extensions: { weather: { temperature: 21.5, labels: ['rain', null] } },
  }),
  safetyEventRow(owner, {
    vehicleId: vehicles[0]!.id,
    type: 'near_crash',
    endedAt: NOON,
    startedAt: NOON - 2 * DAY,
  }),
  safetyEventRow(owner, {
    vehicleId: vehicles[1]!.id,
    driverId: drivers[1]!.id,
    type: 'speeding',
    startLatitude: null,
    endLongitude: -97.6,
    rearCamera: { sourceId: 'film-2', available: true },
    extensions: {},
  }),
  safetyEventRow(owner, {
    vehicleId: vehicles[2]!.id,
    type: 'rolling_stop',
    maximumSpeed: null,
    sourceType: null,
  }),
  safetyEventRow(owner, { vehicleId: unknownId('vehicle'), type: 'crash' }),
]

function variedPlaces(owner: Owner, vehicles: readonly Vehicle[], drivers: readonly Driver[]) {
  const [everything, bare, gone, , lost, same] = vehicles
  const track = [
    ...times(7, (at) =>
      locationRow(owner, {
        vehicleId: everything!.id,
        driverId: drivers[0]!.id,
        locatedAt: NOON - at * MINUTE,
        speed: at * 10,
      }),
    ),
    ...times(3, (at) =>
      locationRow(owner, { vehicleId: bare!.id, locatedAt: NOON - at * MINUTE, heading: null, speed: null }),
    ),
    // Points of the location tracks that the vehicles' trips cover.
    ...times(5, (at) =>
      locationRow(owner, {
        vehicleId: (at % 2 === 0 ? everything : bare)!.id,
        locatedAt: NOON - DAY + at * 60 * MINUTE,
        sourceId: `point-${at}`,
        addressText: at === 0 ? null : `Mile ${at}`,
      }),
    ),
  ]
  const latestLocations = [
    latestLocationRow(owner, {
      vehicleId: everything!.id,
      driverId: drivers[0]!.id,
      fuelSecondaryPercentage: 20,
    }),
    latestLocationRow(owner, {
      vehicleId: bare!.id,
      addressText: null,
      heading: null,
      speed: null,
      odometer: null,
      fuelPrimaryPercentage: null,
      engineState: null,
      engineRuntime: null,
    }),
    latestLocationRow(owner, { vehicleId: gone!.id, engineState: EngineState.OFF }),
    latestLocationRow(owner, {
      vehicleId: lost!.id,
      driverId: unknownId('driver'),
      engineState: EngineState.IDLE,
    }),
    latestLocationRow(owner, { vehicleId: same!.id, driverId: drivers[2]!.id }),
  ]
  return { track, latestLocations }
}

/** Returns one event for each kind of record. */
function variedEvents(owner: Owner, records: Partial<Records>): EventRow[] {
  const { groups, drivers, vehicles, devices, trips, safetyEvents, syncs, trailers, hosLogs, issues } = {
    ...none,
    ...records,
  }
  const reported: readonly (readonly [string, string | null])[] = [
    ['connection.created', owner.connectionId],
    ['sync.completed', syncs[1]!.id],
    ['driver.modified', groups[1]!.id],
    ['vehicle.added', vehicles[0]!.id],
    ['vehicle.added', vehicles[1]!.id],
    ['driver.added', drivers[0]!.id],
    ['driver.removed', devices[0]!.id],
    ['sync.requested', trips[0]!.id],
    ['safety.added', safetyEvents[0]!.id],
    ['sync.started', trailers[0]!.id],
    ['sync.failed', hosLogs[0]!.id],
    ['issue.reported', issues[0]!.id],
    ['vehicle.removed', vehicles[2]!.id],
    ['vehicle.modified', unknownId('vehicle')],
    ['safety.modified', unknownId('vehicleLocation')],
    ['connection.disconnected', null],
  ]
  return reported.map(([type, subjectId], at) => eventRow(owner, { type, subjectId, occurredAt: NOON + at }))
}
