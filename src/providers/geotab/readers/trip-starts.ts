import type { z } from 'zod'
import type { ProviderApi } from '../../provider-api.ts'
import { type point, pointOf } from '../schema-types.ts'
import { gpsLogsIn } from './gps-logs.ts'
import { isCounted, type Trip, trip } from './trip.ts'

/** Trips with where each began; those that do not count are left out. */
export async function withStartPoints(api: ProviderApi, records: readonly unknown[]): Promise<unknown[]> {
  const read = records
    .map((record) => ({ record, trip: trip.safeParse(record).data ?? null }))
    .filter(({ trip }) => trip === null || isCounted(trip))
  const trips = read.flatMap(({ trip }) => trip ?? [])
  const found = new Map([...stopsOf(trips), ...(await firstPlacesOf(api, trips))])
  return read.map(({ record, trip }) => ({
    trip: record,
    startPoint: (trip && found.get(keyOf(trip.device, trip.start))) ?? null,
  }))
}

const keyOf = (device: string, start: number): string => `${device} ${start}`

type Starts = readonly (readonly [string, z.infer<typeof point>])[]

/** Where the trips that come next begin, as far as is known of those between. */
const stopsOf = (trips: readonly Trip[]): Starts =>
  trips.flatMap(({ device, nextTripStart, stopPoint }) =>
    nextTripStart && stopPoint && pointOf(stopPoint) ? [[keyOf(device, nextTripStart), stopPoint]] : [],
  )

/** A device tells its place when a trip begins, or soon after. */
const SOON_MS = 5 * 60_000

async function firstPlacesOf(api: ProviderApi, trips: readonly Trip[]): Promise<Starts> {
  const logs = await gpsLogsIn(
    api,
    trips.map(({ device, start }) => ({ device, from: start, to: start + SOON_MS })),
  )
  return trips.flatMap(({ device, start, stop }, index) => {
    const first = logs[index]?.[0]
    return first && first.dateTime <= stop
      ? [[keyOf(device, start), { x: first.longitude, y: first.latitude }] as const]
      : []
  })
}
