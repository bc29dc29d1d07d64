import { query } from '../api/client.ts'
import {
  DayFuelDocument,
  DaySafetyEventsDocument,
  type DaySafetyEventsQuery,
  DayTrackDocument,
  DayTripsDocument,
  VehicleHeaderDocument,
  type VehicleHeaderQuery,
} from '../api/generated/graphql.ts'
import { nodesOfPages } from '../api/pages.ts'
import type { DayBounds } from './day-bounds.ts'
import type { Trip } from './day-entries.ts'
import type { TrackPoint } from './track.ts'

export type SafetyEvent = NonNullable<
  NonNullable<DaySafetyEventsQuery['vehicle']>['safetyEvents']
>['nodes'][number]

/** Fuel level at a time, in percent of the first tank. */
export interface FuelPoint {
  readonly at: number
  readonly percentage: number
}

/** Everything that the page shows of one day of a vehicle. */
export interface VehicleDay {
  readonly vehicle: NonNullable<VehicleHeaderQuery['vehicle']>
  readonly trips: readonly Trip[]
  readonly safetyEvents: readonly SafetyEvent[]
  readonly track: readonly TrackPoint[]
  readonly fuel: readonly FuelPoint[]
}

/** Reads a day of a vehicle; null if there is no such vehicle. `report` gets the number of positions read so far. */
export async function readDay(
  id: string,
  { startAt, endAt }: DayBounds,
  report: (positions: number) => void,
): Promise<VehicleDay | null> {
  const { vehicle } = await query(VehicleHeaderDocument, { id })
  if (!vehicle) return null
  // The end of a window of trips and events is exclusive, that of points is inclusive.
  const records = { id, startAt: toIso(startAt), endAt: toIso(endAt) }
  const points = { ...records, endAt: toIso(endAt - 1) }
  const [trips, safetyEvents, locations, levels] = await Promise.all([
    nodesOfPages(async (after) => (await query(DayTripsDocument, { ...records, after })).vehicle?.trips),
    nodesOfPages(
      async (after) => (await query(DaySafetyEventsDocument, { ...records, after })).vehicle?.safetyEvents,
    ),
    nodesOfPages(
      async (after) => (await query(DayTrackDocument, { ...points, after })).vehicle?.locations,
      report,
    ),
    nodesOfPages(async (after) => (await query(DayFuelDocument, { ...points, after })).vehicle?.stats),
  ])
  return {
    vehicle,
    trips,
    safetyEvents,
    track: locations.map(({ locatedAt, speed, heading, location: { longitude, latitude } }) => ({
      at: Date.parse(locatedAt),
      longitude,
      latitude,
      speed: speed ?? null,
      heading: heading ?? null,
    })),
    fuel: levels.flatMap((level) =>
      'fuelPercentage' in level && typeof level.fuelPercentage === 'number'
        ? [{ at: Date.parse(level.timestamp), percentage: level.fuelPercentage }]
        : [],
    ),
  }
}

const toIso = (at: number): string => new Date(at).toISOString()
