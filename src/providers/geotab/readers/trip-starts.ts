import type { z } from 'zod'
import type { ProviderApi } from '../../provider-api.ts'
import { type point, pointOf } from '../schema-types.ts'
import { gpsLogsIn } from './gps-logs.ts'
import { isCountedTrip, type Trip, trip } from './trip.ts'

/** Adds the start location of each trip, and removes trips that are not valid. */
export async function withStartPoints(api: ProviderApi, records: readonly unknown[]): Promise<unknown[]> {
  const read = records
    .map((record) => ({ record, trip: trip.safeParse(record).data ?? null }))
    .filter(({ trip }) => trip === null || isCountedTrip(trip))
  const trips = read.flatMap(({ trip }) => trip ?? [])
  const found = new Map([...stopsOf(trips), ...(await firstPositionsOf(api, trips))])
  return read.map(({ record, trip }) => ({
    trip: record,
    startPoint: (trip && found.get(keyOf(trip.device, trip.start))) ?? null,
  }))
}

const keyOf = (device: string, start: number): string => `${device} ${start}`

type Starts = readonly (readonly [string, z.infer<typeof point>])[]

/** Start locations of next trips: each is where the trip before it ended. */
const stopsOf = (trips: readonly Trip[]): Starts =>
  trips.flatMap(({ device, nextTripStart, stopPoint }) =>
    nextTripStart && stopPoint && pointOf(stopPoint) ? [[keyOf(device, nextTripStart), stopPoint]] : [],
  )

/** Maximum time between the start of a trip and the first position. */
const FIRST_POSITION_MS = 5 * 60_000

async function firstPositionsOf(api: ProviderApi, trips: readonly Trip[]): Promise<Starts> {
  const logs = await gpsLogsIn(
    api,
    trips.map(({ device, start }) => ({ device, from: start, to: start + FIRST_POSITION_MS })),
  )
  return trips.flatMap(({ device, start, stop }, index) => {
    const first = logs[index]?.[0]
    return first && first.dateTime <= stop
      ? [[keyOf(device, start), { x: first.longitude, y: first.latitude }] as const]
      : []
  })
}
