import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FakeHarness, runMotive } from '../../../fakes/motive/harness.ts'

let motive: FakeHarness
beforeAll(async () => {
  motive = await runMotive({ vehicles: 60, days: 40 })
})
afterAll(() => motive[Symbol.asyncDispose]())

const truth = <NormalizedRecord>(model: string) => motive.fake.truth<NormalizedRecord[]>(model)
const bySource = (one: { sourceId: string }, other: { sourceId: string }) =>
  one.sourceId < other.sourceId ? -1 : 1

interface Event {
  readonly id: number
  readonly type: string
  readonly start_time: string
  readonly acceleration: number
  readonly m_veh_spd: readonly [number, number, number, number]
  readonly lat: number | string
  readonly lon: number | string
  readonly end_bearing: number
  readonly vehicle: { readonly id: number }
  readonly driver: { readonly id: number } | null
}

interface NormalizedRecord {
  readonly sourceId: string
  readonly type: string
}

const types: Readonly<Record<string, string>> = {
  hard_brake: 'harsh_brake',
  hard_accel: 'harsh_acceleration',
  hard_corner: 'harsh_turn',
  crash: 'crash',
}

const toRecord = (event: Event) => ({
  sourceId: String(event.id),
  type: types[event.type],
  sourceType: event.type,
  vehicleSourceId: String(event.vehicle.id),
  driverSourceId: event.driver && String(event.driver.id),
  startedAt: Date.parse(event.start_time),
  startLocation: { longitude: Number(event.lon), latitude: Number(event.lat) },
  maximumSpeedKph: Math.max(...event.m_veh_spd),
  averageSpeedKph: event.m_veh_spd.reduce((sum, speed) => sum + speed) / 4,
  headingDegrees: event.end_bearing,
  gForceForwardBackward: event.type === 'hard_corner' ? null : forceOf(event),
  gForceSideToSide: event.type === 'hard_corner' ? event.acceleration : null,
})

/** Braking force is negative, whatever the sign of the acceleration. */
const forceOf = ({ type, acceleration }: Event) =>
  type === 'hard_brake' ? -Math.abs(acceleration) : acceleration

test.each<Record<string, string>>([
  {},
  { acceleration: 'absolute' },
  { coordinates: 'texts' },
  { eventTypes: 'new_ones' },
])('performance events match the truth, with %o', async (positions) => {
  await motive.fake.behave(positions)
  const listed = await motive.all<Event>('/v2/driver_performance_events')
  const known = listed.filter(({ type }) => type !== 'loose_cargo')
  const records = (await truth<NormalizedRecord>('SafetyEvent')).filter(({ type }) => type !== 'speeding')
  await motive.fake.behave({ acceleration: 'signed', coordinates: 'numbers', eventTypes: 'known' })
  expect(records.length).toBeGreaterThan(10)
  expect(records.toSorted(bySource)).toEqual(
    known
      .map(toRecord)
      .toSorted(bySource)
      .map((record) => expect.objectContaining(record)),
  )
})

test('an event with a video has a file of the front camera', async () => {
  interface Filmed {
    readonly id: number
    readonly camera_media: {
      readonly downloadable_videos: { readonly front_facing_plain_url: string }
    } | null
  }
  await motive.fake.behave({ cameras: 'some' })
  const listed = await motive.all<Filmed>('/v1/driver_performance_events')
  const records = await truth<NormalizedRecord & { frontCamera: object | null }>('SafetyEvent')
  await motive.fake.behave({ cameras: 'none' })
  const filmed = listed.flatMap(({ camera_media }) => camera_media ?? [])
  expect(records.filter(({ frontCamera }) => frontCamera !== null)).toHaveLength(filmed.length)
  const response = await fetch(filmed[0]?.downloadable_videos.front_facing_plain_url ?? '')
  expect(await response.text()).toContain('film of')
})

test('speeding events are a separate list, in km/h', async () => {
  interface Speeding {
    readonly id: number
    readonly start_lat: number
    readonly end_lon: number
    readonly end_time: string
    readonly max_vehicle_speed: number
    readonly avg_vehicle_speed: number
    readonly min_posted_speed_limit_in_kph: number
  }
  const listed = await motive.all<Speeding>('/v1/speeding_events')
  const records = (await truth<NormalizedRecord>('SafetyEvent')).filter(({ type }) => type === 'speeding')
  const expected = listed.map((event) => ({
    sourceId: `speeding:${event.id}`,
    sourceType: 'posted',
    endedAt: Date.parse(event.end_time),
    maximumSpeedKph: event.max_vehicle_speed,
    averageSpeedKph: event.avg_vehicle_speed,
    roadSpeedLimitKph: event.min_posted_speed_limit_in_kph,
    startLocation: expect.objectContaining({ latitude: event.start_lat }),
    endLocation: expect.objectContaining({ longitude: event.end_lon }),
  }))
  expect(records.length).toBeGreaterThan(3)
  expect(listed.every(({ min_posted_speed_limit_in_kph: limit }) => Math.abs(limit - 104.60736) < 1e-6)).toBe(
    true,
  )
  expect(records.toSorted(bySource)).toEqual(
    expected.toSorted(bySource).map((record) => expect.objectContaining(record)),
  )
})

test('a fault keeps its id when it is closed', async () => {
  interface Fault {
    readonly id: number
    readonly code: string
    readonly network: string
    readonly status: string
    readonly fmi: string | number | null
    readonly source_address: string
    readonly last_observed_at: string
    readonly vehicle: { readonly id: number }
  }
  for (const fmi of ['number', 'text']) {
    await motive.fake.behave({ fmi })
    const listed = await motive.all<Fault>('/v1/fault_codes')
    const records = await truth<NormalizedRecord>('FaultCodeEvent')
    expect(new Set(listed.map(({ network }) => network))).toEqual(new Set(['j1939', 'obdii']))
    const expected = listed.map((fault) => ({
      sourceId: String(fault.id),
      vehicleSourceId: String(fault.vehicle.id),
      protocol: fault.network,
      status: fault.status,
      code: fault.network === 'obdii' ? fault.code : `SPN${fault.code}-FMI${fault.fmi}`,
      observedAt: Date.parse(fault.last_observed_at),
      ...(fault.network === 'j1939' && { spn: Number(fault.code), fmi: Number(fault.fmi) }),
    }))
    expect(records.toSorted(bySource)).toEqual(
      expected.toSorted(bySource).map((record) => expect.objectContaining(record)),
    )
  }
  const open = await motive.all<Fault>('/v1/fault_codes?status=open')
  expect(open.length).toBeGreaterThan(0)
  await motive.fake.move({ advanceMilliseconds: 13 * 86_400_000 })
  const closed = await motive.all<Fault>('/v1/fault_codes?status=closed')
  const ids = new Set(closed.map(({ id }) => id))
  const remaining = new Set((await motive.all<{ id: number }>('/v1/vehicles')).map(({ id }) => id))
  const stayed = open.filter(({ vehicle }) => remaining.has(vehicle.id))
  expect(stayed.length).toBeGreaterThan(0)
  expect(stayed.every(({ id }) => ids.has(id))).toBe(true)
})
