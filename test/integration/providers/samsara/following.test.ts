import { afterAll, beforeAll, expect, test } from 'vitest'
import { samsaraAdapter } from '../../../../src/providers/samsara/adapter.ts'
import type { ProviderApi } from '../../../../src/providers/provider-api.ts'
import type { Reader, ReaderState, Roster, TimeWindow } from '../../../../src/providers/provider.ts'
import { type RunningFake, startFake } from '../../../fakes/kit/start-fake.ts'

/** Two syncs with a day between them: what both have read is what is true then, late and changed records too. */

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const FROM = Date.parse('2026-06-08T00:00:00.000Z')
const FIRST = Date.parse('2026-06-15T18:00:00.000Z')
const SECOND = FIRST + DAY_MS

type Draft = Readonly<Record<string, unknown>>

let fake: RunningFake
let api: ProviderApi
const firstStates = new Map<string, ReaderState>()
const firstDrafts = new Map<string, Draft[]>()
const adapter = () => samsaraAdapter(undefined, { regions: { us: fake.url, eu: fake.url, ca: fake.url } })

/** How far back the second sync reads again what is read by windows. */
const lookedBackMs = {
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
    const { drafts, state } = await read(model, null, { from: FROM, to: FIRST })
    firstStates.set(model, state)
    firstDrafts.set(model, drafts)
  }
  await fake.move({ now: new Date(SECOND).toISOString() })
  await fake.forgetCalls()
})
afterAll(() => fake[Symbol.asyncDispose]())

test.each(models)('%s goes on where the sync before left it', async (model) => {
  const reader = adapter().readers[model] as Reader<object>
  const from = FIRST - (lookedBackMs[model as 'HOSLog'] ?? 0)
  const state = reader.mode === 'feed' ? (firstStates.get(model) ?? null) : null
  const { drafts } = await read(model, state, { from, to: SECOND })
  const known = keyed([...(firstDrafts.get(model) ?? []), ...drafts])
  const truth = keyed(await fake.truth<Draft[]>(model, { from: iso(FROM), to: iso(SECOND) }))
  expect(Object.keys(truth).length).toBeGreaterThan(
    Object.keys(keyed(firstDrafts.get(model) ?? [])).length - 1,
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
  const drafts: Draft[] = []
  for (let state = before; ;) {
    const page = await reader.read(api, state, window, roster)
    // As a state is stored.
    state = JSON.parse(JSON.stringify(page.next)) as ReaderState
    drafts.push(...page.records.map((record) => reader.normalize(record) as Draft))
    if (state === null || page.isCaughtUp) return { drafts, state }
  }
}

/** By what each is known by, the last word of it; of what began before is not spoken. */
function keyed(drafts: readonly Draft[]): Record<string, Draft> {
  const since = drafts.filter((draft) => begunOf(draft) >= FROM)
  return Object.fromEntries(since.map((draft) => [keyOf(draft), rounded(draft)]))
}

function begunOf({ startedAt, observedAt, locatedAt, timestamp, date }: Draft): number {
  const begun = startedAt ?? observedAt ?? locatedAt ?? timestamp ?? date
  if (begun === undefined) return Infinity
  return Number(typeof begun === 'string' ? Date.parse(begun) : begun)
}

const keyOf = ({ sourceId, vehicleSourceId, type, locatedAt, timestamp }: Draft) =>
  [sourceId, vehicleSourceId, type, locatedAt ?? timestamp].join(' ')

const rounded = (draft: Draft): Draft =>
  typeof draft['speedKph'] === 'number'
    ? { ...draft, speedKph: Math.round(draft['speedKph'] * 100) / 100 }
    : draft
