import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ContextFor } from '../../../src/gateway/context.ts'
import { createInProcessExecutor } from '../../../src/gateway/gateway.ts'
import { decodeLine } from '../../../src/domain/geo/polyline.ts'
import type { Vehicle } from '../../../src/subgraphs/fleet/vehicle.ts'
import type { Database } from '../../../src/storage/database.ts'
import {
  type ApiClient,
  dialects,
  locationRow,
  MINUTE,
  NOON,
  type RecordsOf,
  seedApplication,
  type SeededApplication,
  temporaryDatabase,
  vehicleRow,
} from '../../support/factories.ts'
import { ask, contextsOver, documentOf, supergraph } from '../../support/graph/graph-harness.ts'

const executor = createInProcessExecutor(supergraph)

const SECOND = 1000
/** More positions than a statement reads. */
const LONG = 10_500

/** Drives 10 minutes to the north with a position every 15 s, reports nothing for an hour, then twice more. */
const drive = [
  ...Array.from({ length: 41 }, (_, step) => ({
    at: NOON + step * 15 * SECOND + (step === 2 ? 250 : 0),
    latitude: 30 + step * 0.002,
    speed: 53,
  })),
  { at: NOON + 70 * MINUTE, latitude: 30.08, speed: 0 },
  { at: NOON + 71 * MINUTE, latitude: 30.08, speed: null },
]

const vehiclesOnTheRoad: RecordsOf = (owner) => {
  const vehicles = Array.from({ length: 4 }, () => vehicleRow(owner))
  const [driving, longDriving, , crossing] = vehicles as [Vehicle, Vehicle, Vehicle, Vehicle]
  const positionOf = (vehicleId: string, at: number, latitude: number, speed: number | null) =>
    locationRow(owner, { vehicleId, locatedAt: at, longitude: -97.74321, latitude, speed })
  return {
    vehicles,
    track: [
      ...[179.99, -179.99, 179.98].map((longitude, step) =>
        locationRow(owner, {
          vehicleId: crossing.id,
          locatedAt: NOON + step * SECOND,
          longitude,
          latitude: -17,
        }),
      ),
      ...drive.map(({ at, latitude, speed }) => positionOf(driving.id, at, latitude, speed)),
      ...Array.from({ length: LONG }, (_, step) =>
        positionOf(longDriving.id, NOON + step * SECOND, 30 + Math.sin(step / 50), 60 + (step % 7)),
      ),
    ],
  }
}

interface Track {
  readonly storedPositionCount: number
  readonly segments: readonly {
    readonly startedAt: string
    readonly polyline: string
    readonly seconds: readonly number[]
    readonly speeds: readonly (number | null)[]
  }[]
}

describe.each(dialects)('on %s', (dialect) => {
  let db: Database & AsyncDisposable
  let contextFor: ContextFor
  let application: SeededApplication

  beforeAll(async () => {
    db = await temporaryDatabase(dialect)
    contextFor = contextsOver(db)
    application = await seedApplication(db, [vehiclesOnTheRoad, vehiclesOnTheRoad])
  })
  afterAll(() => db[Symbol.asyncDispose]())

  const answerOf = (text: string, client: ApiClient = application.client) =>
    ask(executor, contextFor, { client, document: documentOf(text) })

  const TRACK = '{ storedPositionCount segments { startedAt polyline seconds speeds } }'
  async function trackOf(index: number, args: string): Promise<Track> {
    const id = application.connections[0]!.vehicles[index]!.id
    const { data, errors } = await answerOf(`{ vehicle(id: "${id}") { track(${args}) ${TRACK} } }`)
    expect(errors).toBeUndefined()
    return (data as { vehicle: { track: Track } }).vehicle.track
  }

  const during = (minutes: number) =>
    `startAt: "${new Date(NOON).toISOString()}", endAt: "${new Date(NOON + minutes * MINUTE).toISOString()}"`

  test('a track has every position, in a segment for each time without a long silence', async () => {
    const { storedPositionCount, segments } = await trackOf(0, during(24 * 60))
    expect(storedPositionCount).toBe(drive.length)
    expect(segments.map(({ startedAt, seconds }) => [startedAt, seconds.length])).toEqual([
      ['2026-01-31T12:00:00.000Z', 41],
      ['2026-01-31T13:10:00.000Z', 2],
    ])
    expect(segments[0]?.seconds.slice(0, 3)).toEqual([0, 15, 30.25])
    expect(segments[1]?.speeds).toEqual([0, null])
    expect(decodeLine(segments[0]?.polyline ?? '').slice(0, 2)).toEqual([
      [3_000_000, -9_774_321],
      [3_000_200, -9_774_321],
    ])
  })

  test('both ends of the time are included', async () => {
    expect((await trackOf(0, during(10))).storedPositionCount).toBe(41)
    expect((await trackOf(0, during(9))).storedPositionCount).toBe(37)
  })

  test('a tolerance leaves out what lies on a straight line', async () => {
    const { storedPositionCount, segments } = await trackOf(0, `${during(60)}, tolerance: 5`)
    expect(storedPositionCount).toBe(41)
    expect(segments.map(({ seconds }) => seconds)).toEqual([[0, 600]])
  })

  test('a track that needs several statements is one segment, with each position once', async () => {
    const { storedPositionCount, segments } = await trackOf(1, during(24 * 60))
    expect(storedPositionCount).toBe(LONG)
    expect(segments.map(({ seconds }) => seconds)).toEqual([Array.from({ length: LONG }, (_, at) => at)])
  })

  test('a line over the meridian of 180 degrees has no jump', async () => {
    const { segments } = await trackOf(3, during(60))
    expect(decodeLine(segments[0]?.polyline ?? '').map(([, longitude]) => longitude)).toEqual([
      17_999_000, 18_001_000, 17_998_000,
    ])
  })

  test('a vehicle without positions has a track without segments', async () => {
    expect(await trackOf(2, during(60))).toEqual({ storedPositionCount: 0, segments: [] })
  })

  test.each([-1, 1000.5])('a tolerance of %d meters is refused', async (tolerance) => {
    const id = application.connections[0]!.vehicles[0]!.id
    const { data, errors } = await answerOf(
      `{ vehicle(id: "${id}") { id track(${during(60)}, tolerance: ${tolerance}) { storedPositionCount } } }`,
    )
    expect(data).toEqual({ vehicle: { id, track: null } })
    expect(errors?.[0]).toMatchObject({
      message: '`tolerance` must be from 0 to 1000 meters.',
      extensions: { code: 'BAD_USER_INPUT' },
    })
  })

  test('a token of one connection does not read the track of another', async () => {
    const other = application.connections[1]!
    const { data } = await answerOf(
      `{ vehicle(id: "${other.vehicles[0]!.id}") { track(${during(60)}) { storedPositionCount } } }`,
      application.narrowed(0),
    )
    expect(data).toEqual({ vehicle: null })
  })
})
