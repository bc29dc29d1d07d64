import { z } from 'zod'
import { calendarOf, dateAfter } from '../../../domain/calendar.ts'
import { type Instant, toIso } from '../../../domain/time.ts'
import { rounded } from '../../../domain/units.ts'
import type { ProviderApi } from '../../provider-api.ts'
import { parseParts } from '../../mapping/readable-parts.ts'
import { validate } from '../../mapping/validate.ts'
import type { NormalizedUtilizationDay } from '../../../domain/models/vehicle-utilization.ts'
import type { Reader, Roster, TimeWindow } from '../../provider.ts'
import { isObject } from '../../../platform/is-object.ts'
import { get, getInParts } from '../api-calls.ts'
import { zoneOf } from '../time-zone.ts'
import { id, reference, text, timespan } from '../schema-types.ts'
import { isValidTrip, distanceKilometersOf, type Trip, tripSchema } from './trip.ts'

const drivenTripSchema = tripSchema.extend({ idlingDuration: timespan })

/**
 * All trips of a vehicle on a day. Records of earlier versions have no time zone, and contain the trips that began on
 * the day.
 */
const daySchema = z.object({
  device: id,
  date: z.string(),
  timeZone: z.string().nullish(),
  /** Readable trips, at least one: a day of unreadable trips has no known distance. */
  trips: z.array(drivenTripSchema).min(1),
})

/** Reads utilization day by day, derived from trips. */
export const utilizationReader: Reader<NormalizedUtilizationDay> = {
  mode: 'window',
  needsRoster: true,
  schema: 'Trip',
  async read(api, state, window, roster) {
    const { timeZone, date } = state === null ? await firstDay(api, window) : validate(dayState, state)
    const { startOf } = calendarOf(timeZone)
    if (startOf(date) >= window.to) return { records: [], next: null }
    const next = dateAfter(date)
    const days = await daysDriven(api, timeZone, date)
    const driven = new Set(days.map(({ device }) => device))
    // A vehicle without a trip on this day has no record. If an earlier read stored one, it is removed.
    const removed = (await vehiclesOf(roster)).filter((id) => !driven.has(id)).map((id) => dayIdOf(id, date))
    return { records: days, removed, next: startOf(next) < window.to ? { timeZone, date: next } : null }
  },
  normalize(record) {
    const { device, date, timeZone, trips } = validate(daySchema, record)
    const shareOf = timeZone == null ? () => 1 : sharesOn(date, timeZone)
    const sum = (valueOf: (trip: (typeof trips)[number]) => number) =>
      trips.reduce((total, trip) => total + valueOf(trip) * shareOf(trip), 0)
    return {
      sourceId: dayIdOf(device, date),
      vehicleSourceId: device,
      date,
      distanceKilometers: rounded(sum(possibleKilometersOf), 3),
      fuelConsumedLiters: null,
      drivingMilliseconds: Math.round(sum(({ start, stop }) => stop - start)),
      idlingMilliseconds: Math.round(sum(({ idlingDuration }) => idlingDuration ?? 0)),
    }
  },
}

/**
 * Returns a function that gives the share of a trip on a day, by time. A trip over midnight counts in part on
 * both days.
 */
function sharesOn(date: string, timeZone: string): (trip: Trip) => number {
  const { startOf } = calendarOf(timeZone)
  const [begin, end] = [startOf(date), startOf(dateAfter(date))]
  return ({ start, stop }) =>
    stop > start ? (Math.min(stop, end) - Math.max(start, begin)) / (stop - start) : 1
}

/** NaN for an impossible distance. The sum is then NaN too, which storage replaces by null and reports as an issue. */
function possibleKilometersOf(trip: Trip): number {
  const kilometers = distanceKilometersOf(trip)
  return kilometers === null || kilometers < 0 ? NaN : kilometers
}

const dayIdOf = (device: string, date: string): string => `${device}:${date}`

const ROSTER_PAGE = 1000

/** Returns the ids of all vehicles of the roster. */
async function vehiclesOf(roster: Roster): Promise<string[]> {
  const vehicles: string[] = []
  for (let more = true; more;) {
    const found = await roster.sourceIdsAfter('vehicle', vehicles.at(-1) ?? '', ROSTER_PAGE)
    vehicles.push(...found)
    more = found.length === ROSTER_PAGE
  }
  return vehicles
}

const dayState = z.object({ timeZone: z.string(), date: z.string() })

const recordWithTimeZone = z.looseObject({ timeZoneId: text })

/** Returns the first day that begins in the window, in the time zone of the first device. */
async function firstDay(api: ProviderApi, { from }: TimeWindow): Promise<z.infer<typeof dayState>> {
  const device = (await get(api, 'Device', { resultsLimit: 1 })).find(isObject)
  const timeZone = zoneOf(recordWithTimeZone.safeParse(device).data?.timeZoneId ?? null)
  const { dateAt, startOf } = calendarOf(timeZone)
  const date = dateAt(from)
  return { timeZone, date: startOf(date) < from ? dateAfter(date) : date }
}

/** Reads the trips that are at least partly on a day. The API searches trips by end, which may be on the next day. */
async function daysDriven(api: ProviderApi, timeZone: string, date: string) {
  const { startOf } = calendarOf(timeZone)
  const [begin, end] = [startOf(date), startOf(dateAfter(date))]
  const search = { fromDate: toIso(begin), toDate: toIso(startOf(dateAfter(date, 2)) - 1) }
  const vehicles = new Map<string | null, unknown[]>()
  for await (const records of getInParts(api, 'Trip', search))
    for (const record of records) {
      const trip = parseParts(drivenTripSchema, record)
      if (trip && (!isValidTrip(trip) || !isWithin(trip, begin, end))) continue
      // A trip that cannot be read stays, so that the mapping leaves it out and the sync reports it.
      const device = parseParts(ofDevice, record)?.device ?? null
      vehicles.set(device, [...(vehicles.get(device) ?? []), record])
    }
  return [...vehicles].map(([device, trips]) => ({ device, date, timeZone, trips }))
}

const ofDevice = z.looseObject({ device: reference })

/** Whether a trip is at least partly in a period. A trip without duration belongs to the period in which it starts. */
const isWithin = ({ start, stop }: Trip, begin: Instant, end: Instant): boolean =>
  start < end && (stop > begin || start === begin) && stop >= start
