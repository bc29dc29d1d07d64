import { z } from 'zod'
import { toIso } from '../../../time.ts'
import { metersToKilometers, rounded } from '../../../units.ts'
import type { ProviderApi } from '../../api.ts'
import type { Point, TripDraft } from '../../drafts.ts'
import { getEach } from '../calls.ts'
import { instant, latitude, longitude, maybeReference, measure, point, reference } from '../fields.ts'
import { fed } from '../readers.ts'

const HOUR_MS = 3_600_000

export const trip = z.looseObject({
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

/** A trip tells where it ended alone: it began where the device was then, or else where the trip before it ended. */
const placedTrip = z.object({ trip, startPoint: point.nullable() }).refine(isOver, 'ends before it begins')

export function isOver({ trip }: { readonly trip: Pick<Trip, 'start' | 'stop'> }): boolean {
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
export function kilometersOf({ start, stop, distance, averageSpeed, maximumSpeed }: Trip): number {
  const speed = averageSpeed ?? maximumSpeed
  const isInMeters = speed !== null && distance > (TOO_FAR * speed * (stop - start)) / HOUR_MS
  return isInMeters ? metersToKilometers(distance) : distance
}

async function withStarts(api: ProviderApi, records: readonly unknown[]): Promise<unknown[]> {
  const read = records.map((record) => ({ record, trip: trip.safeParse(record).data ?? null }))
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
    nextTripStart && stopPoint ? [[keyOf(device, nextTripStart), stopPoint]] : [],
  )

/** A device tells its place when a trip begins, or soon after. */
const SOON_MS = 5 * 60_000

/** So much of one device's track is read at once: one search finds where all trips of some days began. */
const SPAN_MS = 10 * 24 * HOUR_MS

interface Span {
  readonly device: string
  readonly trips: readonly [Trip, ...Trip[]]
}

function spansOf(trips: readonly Trip[]): Span[] {
  const spans = new Map<string, Span[]>()
  for (const trip of trips.toSorted((one, other) => one.start - other.start)) {
    const known = spans.get(trip.device) ?? []
    const last = known.at(-1)
    const isIn = last && trip.start - last.trips[0].start < SPAN_MS
    const span: Span = { device: trip.device, trips: isIn ? [...last.trips, trip] : [trip] }
    spans.set(trip.device, isIn ? [...known.slice(0, -1), span] : [...known, span])
  }
  return [...spans.values()].flat()
}

const logRecord = z.looseObject({ dateTime: instant, latitude, longitude })

async function firstPlacesOf(api: ProviderApi, trips: readonly Trip[]): Promise<Starts> {
  const spans = spansOf(trips)
  const searches = spans.map(({ device, trips }) => ({
    deviceSearch: { id: device },
    fromDate: toIso(trips[0].start),
    toDate: toIso((trips.at(-1) ?? trips[0]).start + SOON_MS),
  }))
  const found = await getEach(api, 'LogRecord', searches)
  return spans.flatMap(({ trips }, index) => {
    const logs = (found[index] ?? []).flatMap((log) => logRecord.safeParse(log).data ?? [])
    return startsAmong(
      trips,
      logs.toSorted((one, other) => one.dateTime - other.dateTime),
    )
  })
}

const startsAmong = (trips: readonly Trip[], logs: readonly z.infer<typeof logRecord>[]): Starts =>
  trips.flatMap(({ device, start, stop }) => {
    const first = logs.find(({ dateTime }) => dateTime >= start)
    const isNear = first && first.dateTime <= Math.min(stop, start + SOON_MS)
    return isNear ? [[keyOf(device, start), { x: first.longitude, y: first.latitude }] as const] : []
  })
