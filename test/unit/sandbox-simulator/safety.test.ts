import { expect, test } from 'vitest'
import { createClip } from '../../../src/providers/sandbox/simulator/records/safety/avi.ts'
import type { SafetyEventRecord } from '../../../src/providers/sandbox/simulator/records/safety/events.ts'
import { safetyEvents } from '../../../src/providers/sandbox/simulator/records/safety/events.ts'
import {
  SAFETY_KINDS,
  UNDOCUMENTED_KIND,
} from '../../../src/providers/sandbox/simulator/records/safety/kinds.ts'
import { DAY_MS, HOUR_MS } from '../../../src/providers/sandbox/simulator/world/durations.ts'
import { type Fleet, vehicleIsSilent } from '../../../src/providers/sandbox/simulator/world/fleet.ts'
import { vehicleRouteOf } from '../../../src/providers/sandbox/simulator/world/vehicle-route.ts'
import { runSimulator } from '../../support/simulator/simulator.ts'

const fleet = { seed: 1, size: 50 }
const largerFleet = { seed: 1, size: 110 }
const FROM = Date.UTC(2025, 9, 20)

interface Media {
  front: { id: string; url: string; expiresAt: string } | null
  rear: { id: string; url: string } | null
}

function eventsBetween(
  sinceMs: number,
  untilMs: number,
  nowMs = untilMs,
  of: Fleet = fleet,
): SafetyEventRecord[] {
  const vehicles = Array.from({ length: of.size }, (_, vehicle) => vehicle)
  return vehicles
    .filter((vehicle) => !vehicleIsSilent(vehicle))
    .flatMap((vehicle) => [...safetyEvents(vehicleRouteOf(of, vehicle), { sinceMs, untilMs }, nowMs)])
    .map(({ record }) => record)
}

test('every kind of event happens within months', () => {
  const types = new Set(eventsBetween(FROM, FROM + 180 * DAY_MS).map(({ type }) => type))
  expect([...types].sort()).toEqual([...SAFETY_KINDS, UNDOCUMENTED_KIND].map(({ type }) => type).sort())
})

test('any 24 hours of the default fleet have one to five events of the undocumented kind', () => {
  const times = eventsBetween(FROM, FROM + 60 * DAY_MS)
    .filter(({ type }) => type === UNDOCUMENTED_KIND.type)
    .map(({ occurredAt }) => Date.parse(occurredAt))
  for (const count of countsOfDays(times)) {
    expect(count).toBeGreaterThan(0)
    expect(count).toBeLessThan(6)
  }
})

test.each([fleet, largerFleet])(
  'any 24 hours of a fleet of $size vehicles have one to five crashes',
  (of) => {
    const times = eventsBetween(FROM, FROM + 60 * DAY_MS, FROM + 60 * DAY_MS, of)
      .filter(({ type }) => type === 'crash')
      .map(({ occurredAt }) => Date.parse(occurredAt))
    const counts = countsOfDays(times)
    expect(Math.min(...counts)).toBeGreaterThan(0)
    expect(Math.max(...counts)).toBeLessThan(6)
    expect(times.length).toBeLessThan(2 * 60)
  },
)

/** Counts the times in the 24 hours before every quarter of an hour. */
function countsOfDays(times: readonly number[]): number[] {
  const counts: number[] = []
  for (let endMs = FROM + DAY_MS; endMs < FROM + 60 * DAY_MS; endMs += HOUR_MS / 4)
    counts.push(times.filter((timeMs) => timeMs >= endMs - DAY_MS && timeMs < endMs).length)
  return counts
}

test('an event with an end has an end location, and a parked vehicle has no speed', () => {
  const events = eventsBetween(FROM, FROM + 30 * DAY_MS)
  for (const { endedAt, endLocation, location, type, avgSpeedMph } of events) {
    expect(endLocation === null).toBe(endedAt === null)
    if (type === 'parked_unsafely') expect([avgSpeedMph, endLocation ?? location]).toEqual([0, location])
    else expect(avgSpeedMph).toBeGreaterThan(40)
  }
  expect(new Set(events.map(({ id }) => id)).size).toBe(events.length)
})

test('a clip is uploaded some time after its event', () => {
  const [sinceMs, untilMs] = [FROM, FROM + DAY_MS]
  const filmed = (nowMs: number) =>
    eventsBetween(sinceMs, untilMs, nowMs).filter(({ cameras }) => cameras.front !== null)
  const later = filmed(untilMs + 3 * HOUR_MS)
  expect(later.length).toBeGreaterThan(5)
  for (const { cameras } of later) expect(cameras.front?.uploaded).toBe(true)
  expect(later.some(({ cameras }) => cameras.rear !== null)).toBe(true)
  expect(later.some(({ cameras }) => cameras.rear === null)).toBe(true)
  for (const event of later) {
    const atOnce = eventsBetween(sinceMs, untilMs, Date.parse(event.occurredAt)).find(
      ({ id }) => id === event.id,
    )
    expect(atOnce?.cameras.front?.uploaded).toBe(false)
  }
})

test('some events have road and weather data', () => {
  const enriched = eventsBetween(FROM, FROM + 30 * DAY_MS).flatMap(({ enrichment }) => enrichment ?? [])
  expect(enriched.length).toBeGreaterThan(50)
  for (const { here } of enriched) {
    expect(Object.keys(here.linkAttributes)).toHaveLength(25)
    if (here.weather) expect(Object.keys(here.weather)).toHaveLength(12)
  }
  expect(new Set(enriched.map(({ here }) => here.weather === null))).toEqual(new Set([true, false]))
})

test('a clip is a valid AVI file with a header, frames and an index', () => {
  const bytes = createClip(0x336699)
  const word = (at: number) => bytes.readUInt32LE(at)
  const name = (at: number) => bytes.toString('ascii', at, at + 4)
  const lists = new Map<string, number>()
  for (let at = 12; at < bytes.length; at += 8 + word(at + 4))
    lists.set(name(at) === 'LIST' ? name(at + 8) : name(at), at)
  expect([...lists.keys()]).toEqual(['hdrl', 'movi', 'idx1'])
  const header = lists.get('hdrl')! + 12
  expect([name(header), word(header + 4)]).toEqual(['avih', 56])
  const frames = word(header + 8 + 16)
  const index = lists.get('idx1')!
  expect([frames, word(header + 8 + 32), word(header + 8 + 36)]).toEqual([10, 64, 48])
  expect(word(index + 4)).toBe(16 * frames)
  for (let frame = 0; frame < frames; frame++) {
    const [offset, length] = [word(index + 8 + 16 * frame + 8), word(index + 8 + 16 * frame + 12)]
    const at = lists.get('movi')! + 8 + offset
    expect([name(at), word(at + 4), length]).toEqual(['00db', length, 64 * 48 * 3])
  }
})

test('a clip can be fetched by its URL alone until it expires', async () => {
  await using simulator = await runSimulator({ controls: true })
  const since = new Date(Date.now() - 2 * DAY_MS).toISOString()
  const events = await simulator.all<SafetyEventRecord>(`/safety-events?since=${since}&limit=1000`)
  const filmed = events.find(({ cameras }) => cameras.front?.uploaded && cameras.rear?.uploaded)!
  const { body } = await simulator.get<Media>(`/safety-events/${filmed.id}/media`)
  expect([body.front?.id, body.rear?.id]).toEqual([filmed.cameras.front?.id, filmed.cameras.rear?.id])
  const clip = await fetch(body.front!.url)
  expect([clip.status, clip.headers.get('content-type')]).toEqual([200, 'video/x-msvideo'])
  const bytes = Buffer.from(await clip.arrayBuffer())
  expect(bytes.subarray(0, 4).toString() + bytes.subarray(8, 12).toString()).toBe('RIFFAVI ')
  expect(bytes.readUInt32LE(4)).toBe(bytes.length - 8)
  expect((await fetch(body.rear!.url)).status).toBe(200)
  expect((await fetch(body.front!.url.replace(body.front!.id, body.rear!.id))).status).toBe(403)
  await simulator.control('clock', { offsetMs: 9 * HOUR_MS })
  expect((await fetch(body.front!.url)).status).toBe(403)
})

test('a vehicle without a camera has no clips, and an unknown event is not found', async () => {
  await using simulator = await runSimulator()
  const since = new Date(Date.now() - 2 * DAY_MS).toISOString()
  const events = await simulator.all<SafetyEventRecord>(`/safety-events?since=${since}&limit=1000`)
  const unfilmed = events.find(({ cameras }) => cameras.front === null)!
  expect((await simulator.get(`/safety-events/${unfilmed.id}/media`)).body).toEqual({
    front: null,
    rear: null,
  })
  expect((await simulator.get(`/safety-events/${unfilmed.id}/media`, 'sandbox-50-2')).status).toBe(404)
  expect((await simulator.get(`/safety-events/${unfilmed.id}0/media`)).status).toBe(404)
})
