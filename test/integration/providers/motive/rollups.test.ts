import { afterAll, beforeAll, expect, test } from 'vitest'
import { motiveAdapter } from '../../../../src/providers/motive/adapter.ts'
import type { Reader, ReaderState } from '../../../../src/providers/provider.ts'
import { type RunningFake, startFake } from '../../../fakes/kit/start-fake.ts'
import { emptyRoster } from '../../../support/providers/empty-roster.ts'

const NOW = Date.parse('2026-06-15T18:00:00.000Z')
const DAYS = 50
const WINDOW = { from: NOW - (DAYS - 1) * 86_400_000, to: NOW }

let fake: RunningFake
beforeAll(async () => {
  fake = await startFake('motive', { vehicles: 4, days: DAYS, now: new Date(NOW).toISOString() })
})
afterAll(() => fake[Symbol.asyncDispose]())

type NormalizedRecord = Readonly<Record<string, unknown>>

async function readAll(model: 'VehicleUtilization' | 'IFTASummary'): Promise<NormalizedRecord[]> {
  const adapter = motiveAdapter(undefined, { baseUrl: fake.url })
  const api = adapter.api({ apiKey: 'fake-key-1' }, new AbortController().signal)
  const reader = adapter.readers[model] as unknown as Reader<NormalizedRecord>
  const found: NormalizedRecord[] = []
  let state: ReaderState = null
  do {
    const page = await reader.read(api, state, WINDOW, emptyRoster)
    found.push(...page.records.map((record) => reader.normalize(record)))
    state = page.next
  } while (state !== null)
  return found
}

const inOrder = (all: readonly NormalizedRecord[]) =>
  all.toSorted((one, other) => (String(one['sourceId']) < String(other['sourceId']) ? -1 : 1))

/** Whether a period includes its last date, and the names of the date fields of utilization. */
test.each([
  ['inclusive', 'start_at'],
  ['exclusive', 'start_at'],
  ['inclusive', 'start_date'],
  ['exclusive', 'start_date'],
])('sums cover whole days and months, last date %s, date fields %s', async (endDate, utilizationDates) => {
  await fake.behave({ endDate, utilizationDates })
  const [from, to] = [WINDOW.from, WINDOW.to].map((at) => new Date(at).toISOString()) as [string, string]
  for (const model of ['VehicleUtilization', 'IFTASummary'] as const) {
    const truth = await fake.truth<NormalizedRecord[]>(model, { from, to })
    const ids = new Set(truth.map(({ sourceId }) => sourceId))
    const read = (await readAll(model)).filter(({ sourceId }) => ids.has(sourceId))
    expect(truth.length).toBeGreaterThan(0)
    expect(inOrder(read)).toEqual(inOrder(truth))
  }
})
