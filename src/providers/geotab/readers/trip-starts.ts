import type { z } from 'zod'
import type { ProviderApi } from '../../provider-api.ts'
import { parseParts } from '../../mapping/readable-parts.ts'
import { type point, pointOf } from '../schema-types.ts'
import { readGpsLogs } from './gps-logs.ts'
import { isValidTrip, type Trip, tripSchema } from './trip.ts'

/**
 * Adds the start location of each trip: its first position, or the place where the previous trip ended. Leaves out
 * trips that are in progress or deleted.
 */
export async function withStartPoints(api: ProviderApi, records: readonly unknown[]): Promise<unknown[]> {
  const validRecords = records
    .map((record) => ({ record, trip: parseParts(tripSchema, record) }))
    .filter(({ trip }) => trip === null || isValidTrip(trip))
  const trips = validRecords.flatMap(({ trip }) => trip ?? [])
  const startPoints = new Map([...stopsOf(trips), ...(await firstPositionsOf(api, trips))])
  return validRecords.map(({ record, trip }) => ({
    trip: record,
    startPoint: (trip && startPoints.get(keyOf(trip.device, trip.start))) ?? null,
  }))
}

const keyOf = (device: string, start: number): string => `${device} ${start}`

type Starts = readonly (readonly [string, z.infer<typeof point>])[]

/** Start locations of the trips that follow: a trip starts where the previous one ended. */
const stopsOf = (trips: readonly Trip[]): Starts =>
  trips.flatMap(({ device, nextTripStart, stopPoint }) =>
    nextTripStart && stopPoint && pointOf(stopPoint) ? [[keyOf(device, nextTripStart), stopPoint]] : [],
  )

/** Maximum time from the start of a trip to the position that is used as its start location. */
const FIRST_POSITION_MS = 5 * 60_000

async function firstPositionsOf(api: ProviderApi, trips: readonly Trip[]): Promise<Starts> {
  const logs = await readGpsLogs(
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
