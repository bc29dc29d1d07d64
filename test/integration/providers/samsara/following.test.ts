import { afterAll, beforeAll, expect, test } from 'vitest'
import { samsaraAdapter } from '../../../../src/providers/samsara/adapter.ts'
import type { ProviderApi } from '../../../../src/providers/provider-api.ts'
import type { Reader, ReaderState, Roster, TimeWindow } from '../../../../src/providers/provider.ts'
import { type RunningFake, startFake } from '../../../fakes/kit/start-fake.ts'

/** Two syncs, one day apart, read all records that exist then, also late and changed ones. */

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const FROM = Date.parse('2026-06-08T00:00:00.000Z')
const FIRST = Date.parse('2026-06-15T18:00:00.000Z')
const SECOND = FIRST + DAY_MS

type NormalizedRecord = Readonly<Record<string, unknown>>

let fake: RunningFake
let api: ProviderApi
const firstStates = new Map<string, ReaderState>()
const firstRecords = new Map<string, NormalizedRecord[]>()
const adapter = () => samsaraAdapter(undefined, { regions: { us: fake.url, eu: fake.url, ca: fake.url } })

/** Lookback of the second sync, for the models that are read by time window. */
const lookbackMs = {
  HOSLog: DAY_MS,
  HOSDailyLog: DAY_MS,
  VehicleUtilization: 3 * DAY_MS,
  IFTASummary: DAY_MS,
}

const models = [
  'Trip',
  'SafetyEvent',
  'FaultCodeEvent',
  'HOSLog',
  'HOSDailyLog',
  'VehicleLocation',
  'VehicleStatLog',
  'IFTASummary',
] as const

beforeAll(async () => {
  fake = await startFake('samsara', {
    vehicles: 20,
    days: 12,
    now: new Date(FIRST).toISOString(),
    world: { restlessness: 0, lateShare: 0.1 },
  })
  await fetch(`${fake.url}/_fake/budgets`, { method: 'POST', body: '{"*":10000}' })
  api = adapter().api({ token: 'fake-token-1' }, new AbortController().signal)
  for (const model of models) {
    const { normalized, state } = await read(model, null, { from: FROM, to: FIRST })
    firstStates.set(model, state)
    firstRecords.set(model, normalized)
  }
  await fake.move({ now: new Date(SECOND).toISOString() })
  await fake.forgetCalls()
})
afterAll(() => fake[Symbol.asyncDispose]())

test.each(models)('a second sync reads the new and changed records of %s', async (model) => {
  const reader = adapter().readers[model] as Reader<object>
  const from = FIRST - (lookbackMs[model as 'HOSLog'] ?? 0)
  const state = reader.mode === 'feed' ? (firstStates.get(model) ?? null) : null
  const { normalized } = await read(model, state, { from, to: SECOND })
  const known = keyed([...(firstRecords.get(model) ?? []), ...normalized])
  const truth = keyed(await fake.truth<NormalizedRecord[]>(model, { from: iso(FROM), to: iso(SECOND) }))
  expect(Object.keys(truth).length).toBeGreaterThan(
    Object.keys(keyed(firstRecords.get(model) ?? [])).length - 1,
  )
  expect(known).toEqual(truth)
})

const iso = (at: number) => new Date(at).toISOString()

const roster: Roster = {
  async sourceIdsAfter(_kind, after, most) {
    const vehicles = await fake.truth<{ sourceId: string }[]>('Vehicle')
    const ids = vehicles.map(({ sourceId }) => sourceId).toSorted()
    return ids.filter((id) => id > after).slice(0, most)
  },
}

async function read(model: (typeof models)[number], before: ReaderState, window: TimeWindow) {
  const reader = adapter().readers[model] as Reader<object>
  const normalized: NormalizedRecord[] = []
  for (let state = before; ;) {
    const page = await reader.read(api, state, window, roster)
    // The database stores a state as JSON.
    state = JSON.parse(JSON.stringify(page.next)) as ReaderState
    normalized.push(...page.records.map((record) => reader.normalize(record) as NormalizedRecord))
    if (state === null || page.isCaughtUp) return { normalized, state }
  }
}

/** Indexes records by key. The last record of a key wins; records that start before `FROM` are left out. */
function keyed(normalized: readonly NormalizedRecord[]): Record<string, NormalizedRecord> {
  const since = normalized.filter((record) => startOf(record) >= FROM)
  return Object.fromEntries(since.map((record) => [keyOf(record), rounded(record)]))
}

function startOf({ startedAt, observedAt, locatedAt, timestamp, date }: NormalizedRecord): number {
  const start = startedAt ?? observedAt ?? locatedAt ?? timestamp ?? date
  if (start === undefined) return Infinity
  return Number(typeof start === 'string' ? Date.parse(start) : start)
}

const keyOf = ({ sourceId, vehicleSourceId, type, locatedAt, timestamp }: NormalizedRecord) =>
  [sourceId, vehicleSourceId, type, locatedAt ?? timestamp].join(' ')

const rounded = (record: NormalizedRecord): NormalizedRecord =>
  typeof record['speedKph'] === 'number'
    ? { ...record, speedKph: Math.round(record['speedKph'] * 100) / 100 }
    : record
