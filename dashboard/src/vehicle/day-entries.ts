import type { DayTripsQuery } from '../api/generated/graphql.ts'
import { isMoving } from '../live/vehicle-state.ts'
import type { DayBounds } from './day-bounds.ts'
import type { VehicleDay } from './read-day.ts'

export type Trip = NonNullable<NonNullable<DayTripsQuery['vehicle']>['trips']>['nodes'][number]

interface Place {
  readonly longitude: number
  readonly latitude: number
}

/** Time between two trips. */
export interface Stop {
  readonly kind: 'stop'
  readonly startAt: number
  readonly endAt: number
  readonly place: Place | null
}

export interface TripEntry {
  readonly kind: 'trip'
  readonly startAt: number
  readonly endAt: number
  readonly trip: Trip
}

/** Time since the vehicle drove on after its last trip. Providers report a trip when it has ended. */
export interface UnderWay {
  readonly kind: 'under-way'
  readonly startAt: number
  readonly endAt: number
}

export type DayEntry = TripEntry | Stop | UnderWay

/** Providers also split a trip at a traffic light: a shorter stop is not listed. */
const SHORTEST_STOP_MS = 3 * 60_000

/**
 * Returns the trips of a day and the stops between them, in order, within the day. A stop at the start of the day is
 * where the first trip began. The last stop lasts until the vehicle drives on, until the day ends, or until now.
 */
export function entriesOf(
  { trips, track }: Pick<VehicleDay, 'trips' | 'track'>,
  { startAt, endAt }: DayBounds,
  now: number,
): DayEntry[] {
  const entries: DayEntry[] = []
  let seenUntil = startAt
  let place: Place | null = null
  const addStop = (until: number, at: Place | null) => {
    if (until - seenUntil >= SHORTEST_STOP_MS)
      entries.push({ kind: 'stop', startAt: seenUntil, endAt: until, place: at })
  }
  const sorted = [...trips].sort((one, other) => Date.parse(one.startedAt) - Date.parse(other.startedAt))
  for (const trip of sorted) {
    const entry: TripEntry = {
      kind: 'trip',
      startAt: Math.max(startAt, Date.parse(trip.startedAt)),
      endAt: Math.min(endAt, Date.parse(trip.endedAt)),
      trip,
    }
    addStop(entry.startAt, place ?? trip.startLocation ?? null)
    entries.push(entry)
    place = trip.endLocation ?? null
    seenUntil = Math.max(seenUntil, entry.endAt)
  }
  const shownUntil = Math.min(endAt, now)
  const drivesOn = track.find(({ at, speed }) => at > seenUntil && isMoving(speed))
  if (drivesOn) {
    addStop(drivesOn.at, place ?? drivesOn)
    entries.push({ kind: 'under-way', startAt: drivesOn.at, endAt: shownUntil })
  } else if (sorted.length > 0) addStop(shownUntil, place)
  return entries
}

/** Totals of a day. A trip counts on the day on which it started, with its whole distance; times are those of the day. */
export interface DayTotals {
  readonly trips: number
  /** In kilometers. Null if no trip has a distance. */
  readonly distance: number | null
  readonly drivingMs: number
  readonly stoppedMs: number
}

export function totalsOf(entries: readonly DayEntry[]): DayTotals {
  const trips = entries.filter((entry) => entry.kind === 'trip')
  const started = trips.filter(({ startAt, trip }) => Date.parse(trip.startedAt) === startAt)
  const distances = started.flatMap(({ trip: { distance } }) => (distance == null ? [] : [distance]))
  return {
    trips: started.length,
    distance: distances.length === 0 ? null : sum(distances),
    drivingMs: sum(trips.map(({ startAt, endAt }) => endAt - startAt)),
    stoppedMs: sum(entries.flatMap(({ kind, startAt, endAt }) => (kind === 'stop' ? [endAt - startAt] : []))),
  }
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
