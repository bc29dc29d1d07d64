import { z } from 'zod'
import { toIso } from '../../../time.ts'
import { metersToKilometers, rounded } from '../../../units.ts'
import type { ProviderApi } from '../../api.ts'
import type { Point, TripDraft } from '../../drafts.ts'
import { getEach } from '../calls.ts'
import { instant, latitude, longitude, maybeReference, measure, point, reference } from '../fields.ts'
import { fed } from '../readers.ts'

const HOUR_MS = 3_600_000

const trip = z.looseObject({
  device: reference,
  driver: maybeReference,
  start: instant,
  stop: instant,
  nextTripStart: instant.nullish().catch(null),
  distance: z.number().min(0),
  averageSpeed: measure,
  maximumSpeed: measure,
  stopPoint: point.nullish(),
})

type Trip = z.infer<typeof trip>

/** A trip tells where it ended alone: it began where the one before it did, or where the device was then. */
const placedTrip = z.object({ trip, startPoint: point.nullable() }).refine(isOver, 'ends before it begins')

function isOver({ trip }: { readonly trip: Pick<Trip, 'start' | 'stop'> }): boolean {
  return trip.start <= trip.stop && trip.stop < Date.UTC(2050)
}

export const tripReader = fed({
  typeName: 'Trip',
  shape: placedTrip,
  joined: withStarts,
  toDraft: ({ trip, startPoint }): TripDraft => ({
    sourceId: `${trip.device}:${toIso(trip.start)}`,
    vehicleSourceId: trip.device,
    driverSourceId: trip.driver,
    startedAt: trip.start,
    endedAt: trip.stop,
    startLocation: pointOf(startPoint),
    endLocation: pointOf(trip.stopPoint),
    distanceKilometers: rounded(kilometersOf(trip), 3),
    durationMilliseconds: trip.stop - trip.start,
  }),
})

const pointOf = (told: z.infer<typeof point> | null | undefined): Point | null =>
  told ? { longitude: told.x, latitude: told.y } : null

/** No trip is this much longer than its speeds allow: then its distance is in meters. */
const TOO_FAR = 100

/** Kilometers as MyGeotab documents them; some databases have been seen to tell meters. */
function kilometersOf({ start, stop, distance, averageSpeed, maximumSpeed }: Trip): number {
  const speed = averageSpeed ?? maximumSpeed
  const isInMeters = speed !== null && distance > (TOO_FAR * speed * (stop - start)) / HOUR_MS
  return isInMeters ? metersToKilometers(distance) : distance
}

async function withStarts(api: ProviderApi, records: readonly unknown[]): Promise<unknown[]> {
  const read = records.map((record) => ({ record, trip: trip.safeParse(record).data ?? null }))
  const stops = new Map(
    read.flatMap(({ trip }) =>
      trip?.nextTripStart && trip.stopPoint
        ? [[keyOf(trip.device, trip.nextTripStart), trip.stopPoint] as const]
        : [],
    ),
  )
  const unknown = read.flatMap(({ trip }) =>
    trip && !stops.has(keyOf(trip.device, trip.start)) ? [trip] : [],
  )
  const found = await firstPlacesOf(api, unknown)
  return read.map(({ record, trip }) => {
    const key = trip && keyOf(trip.device, trip.start)
    return { trip: record, startPoint: key === null ? null : (stops.get(key) ?? found.get(key) ?? null) }
  })
}

const keyOf = (device: string, start: number): string => `${device} ${start}`

/** A device tells its place when a trip begins, or soon after. */
const SOON_MS = 5 * 60_000

const logRecord = z.looseObject({ dateTime: instant, latitude, longitude })

async function firstPlacesOf(api: ProviderApi, trips: readonly Trip[]) {
  const searches = trips.map(({ device, start, stop }) => ({
    deviceSearch: { id: device },
    fromDate: toIso(start),
    toDate: toIso(Math.min(stop, start + SOON_MS)),
  }))
  const found = await getEach(api, 'LogRecord', searches)
  return new Map(
    trips.flatMap((trip, index) => {
      const logs = (found[index] ?? []).flatMap((log) => logRecord.safeParse(log).data ?? [])
      const first = logs.toSorted((one, other) => one.dateTime - other.dateTime)[0]
      return first
        ? [[keyOf(trip.device, trip.start), { x: first.longitude, y: first.latitude }] as const]
        : []
    }),
  )
}
