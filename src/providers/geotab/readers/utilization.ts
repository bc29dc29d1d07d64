import { z } from 'zod'
import { toIso } from '../../../domain/time.ts'
import { rounded } from '../../../domain/units.ts'
import type { ProviderApi } from '../../provider-api.ts'
import { validate } from '../../mapping/validate.ts'
import type { NormalizedUtilizationDay } from '../../normalized-records.ts'
import type { Reader, Roster, TimeWindow } from '../../provider.ts'
import { get, getInParts } from '../api-calls.ts'
import { dateAfter, daysInZone, zoneOf } from '../time-zone.ts'
import { id, text, timespan } from '../schema-types.ts'
import { isCounted, kilometersOf, trip } from './trip.ts'

const drivenTrip = trip.extend({ idlingDuration: timespan })

/** All trips of a vehicle that begin on a day. */
const day = z.object({ device: id, date: z.string(), trips: z.array(drivenTrip) })

/** The days of the fleet, each after the other, as its trips make them. */
export const utilizationReader: Reader<NormalizedUtilizationDay> = {
  mode: 'window',
  needsRoster: true,
  schema: 'Trip',
  async read(api, state, window, roster) {
    const { timeZone, date } = state === null ? await firstDay(api, window) : validate(place, state)
    const { startOf } = daysInZone(timeZone)
    if (startOf(date) >= window.to) return { records: [], next: null }
    const next = dateAfter(date)
    const days = await daysDriven(api, timeZone, date)
    const driven = new Set(days.map(({ device }) => device))
    const removed = (await vehiclesOf(roster)).filter((id) => !driven.has(id)).map((id) => dayOf(id, date))
    return { records: days, removed, next: startOf(next) < window.to ? { timeZone, date: next } : null }
  },
  normalize(record) {
    const { device, date, trips } = validate(day, record)
    const sum = (of: (one: (typeof trips)[number]) => number) =>
      trips.reduce((total, one) => total + of(one), 0)
    return {
      sourceId: dayOf(device, date),
      vehicleSourceId: device,
      date,
      distanceKilometers: rounded(sum(kilometersOf), 3),
      fuelConsumedLiters: null,
      drivingMilliseconds: sum(({ start, stop }) => stop - start),
      idlingMilliseconds: sum(({ idlingDuration }) => idlingDuration ?? 0),
    }
  },
}

const dayOf = (device: string, date: string): string => `${device}:${date}`

const AT_ONCE = 1000

/** Of those without a trip on a day there is no such day, or none any more. */
async function vehiclesOf(roster: Roster): Promise<string[]> {
  const vehicles: string[] = []
  for (let more = true; more;) {
    const found = await roster.sourceIdsAfter('vehicle', vehicles.at(-1) ?? '', AT_ONCE)
    vehicles.push(...found)
    more = found.length === AT_ONCE
  }
  return vehicles
}

const place = z.object({ timeZone: z.string(), date: z.string() })

const zoned = z.looseObject({ timeZoneId: text })

/** The first day that begins in the window, in the zone of the fleet's devices. */
async function firstDay(api: ProviderApi, { from }: TimeWindow): Promise<z.infer<typeof place>> {
  const [device] = await get(api, 'Device', { resultsLimit: 1 })
  const timeZone = zoneOf(zoned.safeParse(device).data?.timeZoneId ?? null)
  const { dateAt, startOf } = daysInZone(timeZone)
  const date = dateAt(from)
  return { timeZone, date: startOf(date) < from ? dateAfter(date) : date }
}

/** Trips are found by their end: those that begin on a day end on it or on the next. */
async function daysDriven(api: ProviderApi, timeZone: string, date: string) {
  const { dateAt, startOf } = daysInZone(timeZone)
  const search = { fromDate: toIso(startOf(date)), toDate: toIso(startOf(dateAfter(date, 2)) - 1) }
  const vehicles = new Map<string, unknown[]>()
  for await (const records of getInParts(api, 'Trip', search))
    for (const record of records) {
      const { data } = drivenTrip.safeParse(record)
      if (!data || !isCounted(data) || data.stop < data.start || dateAt(data.start) !== date) continue
      vehicles.set(data.device, [...(vehicles.get(data.device) ?? []), record])
    }
  return [...vehicles].map(([device, trips]) => ({ device, date, trips }))
}
