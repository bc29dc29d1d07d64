import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { traccarAdapter } from '../../../../src/providers/traccar/adapter.ts'
import type { NormalizedFaultCodeEvent } from '../../../../src/domain/models/fault-code-event.ts'
import type { Reader, ReaderState, Roster, TimeWindow } from '../../../../src/providers/provider.ts'

const NOW = Date.parse('2026-06-15T18:00:00.000Z')
const DAY_MS = 86_400_000
const daysAgo = (days: number): number => NOW - days * DAY_MS

interface Position {
  readonly id: number
  readonly fixTime: string
}

/** Positions of the only device of the server. */
let positions: Position[] = []
const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://server')
  const since = searchParams.get('from') ?? ''
  const until = searchParams.get('to') ?? ''
  const device = { id: 1, name: 'Van', uniqueId: '1', status: 'online', lastUpdate: toIso(NOW) }
  const found = positions.filter(({ fixTime }) => fixTime >= since && fixTime <= until)
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify(pathname.endsWith('/devices') ? [device] : found))
})

const toIso = (at: number) => new Date(at).toISOString()

const position = (days: number, ...codes: string[]) => ({
  id: Math.round(1000 - 10 * days),
  deviceId: 1,
  deviceTime: toIso(daysAgo(days)),
  fixTime: toIso(daysAgo(days)),
  serverTime: toIso(daysAgo(days)),
  valid: true,
  outdated: false,
  latitude: 41.8,
  longitude: -87.6,
  altitude: 0,
  speed: 0,
  course: 0,
  accuracy: 0,
  address: null,
  attributes: { hours: 1000, ...(codes.length > 0 ? { dtcs: codes.join(' ') } : {}) },
})

const noRoster: Roster = { sourceIdsAfter: async () => [] }

function open() {
  const adapter = traccarAdapter()
  const { port } = server.address() as AddressInfo
  const credentials = { serverUrl: `http://127.0.0.1:${port}`, token: 'token-1' }
  const api = adapter.api(credentials, new AbortController().signal)
  return { api, reader: adapter.readers.FaultCodeEvent as Reader<NormalizedFaultCodeEvent> }
}

/** Reads to the end of the window. Returns the fault records, the final state, and a function to read again. */
async function read(before: ReaderState, window: TimeWindow) {
  const { api, reader } = open()
  for (let state = before, summaries: string[] = []; ;) {
    const page = await reader.read(api, state, window, noRoster)
    state = page.next
    summaries = summaries.concat(page.records.map((record) => summaryOf(reader.normalize(record))))
    if (page.isCaughtUp) return { summaries, state, again: readAgainFrom(reader, state) }
  }
}

const summaryOf = ({ code, status, observedAt, deletedAt }: NormalizedFaultCodeEvent) =>
  `${code} ${deletedAt == null ? status : 'gone'} since ${(NOW - observedAt) / DAY_MS} days`

/** Returns a function that reads again from a number of days ago. */
const readAgainFrom = (reader: Reader<NormalizedFaultCodeEvent>, state: ReaderState) => (days: number) => {
  const window = { from: daysAgo(days), to: NOW + days }
  return read(state && (reader.stateForWindow?.(state, window) ?? null), window)
}

describe('a Traccar fault in a sync with a requested start', () => {
  beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
  afterAll(() => new Promise((resolve) => server.close(resolve)))
  beforeEach(() => {
    positions = [position(50), position(45, 'P0087'), position(20, 'P0087'), position(3, 'P0087')]
  })

  test('keeps its identity however long it has been open', async () => {
    const first = await read(null, { from: daysAgo(60), to: NOW })
    expect(first.summaries).toEqual(['P0087 open since 45 days'])
    for (const days of [1, 4, 10]) expect((await first.again(days)).summaries).toEqual([])
    positions.push(position(0.5))
    expect((await first.again(1)).summaries).toEqual(['P0087 closed since 45 days'])
  })

  test('ends at a late position, also if the first read of its period stops halfway', async () => {
    const { state } = await read(null, { from: daysAgo(60), to: NOW })
    positions.push(position(0.6))
    const { api, reader } = open()
    const deep = { from: daysAgo(8), to: NOW + 1 }
    const start = reader.stateForWindow?.(state as NonNullable<ReaderState>, deep) ?? null
    const { next, isCaughtUp } = await reader.read(api, start, deep, noRoster)
    expect(isCaughtUp).toBe(false)
    const { summaries } = await read(next, { ...deep, to: NOW + 2 })
    expect(summaries).toEqual(['P0087 closed since 45 days'])
  })

  test('keeps its start if another fault is still open', async () => {
    positions = [
      ...positions.slice(0, 2),
      position(32, 'P0087', 'P0301'),
      position(28, 'P0087', 'P0301'),
      position(25, 'P0087'),
      position(3, 'P0087'),
    ]
    const first = await read(null, { from: daysAgo(60), to: NOW })
    expect(first.summaries).toContain('P0301 closed since 32 days')
    const next = await read(first.state, { from: daysAgo(2), to: NOW + 1 })
    expect((await next.again(30)).summaries).toEqual(['P0301 closed since 32 days'])
  })
})
