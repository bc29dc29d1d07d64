import { describe, expect, test } from 'vitest'
import type { ProviderApi } from '../../../src/providers/provider-api.ts'
import { geotabAdapter } from '../../../src/providers/geotab/adapter.ts'
import type { ProviderAdapter, Reader, ReaderState, TimeWindow } from '../../../src/providers/provider.ts'
import { samsaraAdapter } from '../../../src/providers/samsara/adapter.ts'
import { traccarAdapter } from '../../../src/providers/traccar/adapter.ts'
import { startFake } from '../../fakes/kit/start-fake.ts'
import { emptyRoster } from '../../support/providers/empty-roster.ts'

const DAY_MS = 86_400_000
const DAYS = 4

type DailyModel = 'VehicleUtilization' | 'HOSDailyLog'

interface Subject {
  readonly provider: string
  /** The models that the provider reports by day. */
  readonly models: readonly DailyModel[]
  adapter(url: string): ProviderAdapter
  credentials(url: string): Record<string, string>
}

const subjects: readonly Subject[] = [
  {
    provider: 'traccar',
    models: ['VehicleUtilization'],
    adapter: () => traccarAdapter(),
    credentials: (url) => ({ serverUrl: url, token: 'token-1' }),
  },
  {
    provider: 'geotab',
    models: ['VehicleUtilization', 'HOSDailyLog'],
    adapter: () => geotabAdapter(undefined, { urlOf: (server) => `http://${server}` }),
    credentials: (url) => ({
      server: new URL(url).host,
      database: 'fleet_1',
      userName: 'reader@fleet.example',
      password: 'the password of reader@fleet.example',
    }),
  },
  {
    provider: 'samsara',
    models: ['VehicleUtilization', 'HOSDailyLog'],
    adapter: (url) => samsaraAdapter(undefined, { regions: { us: url, eu: url, ca: url } }),
    credentials: () => ({ token: 'fake-token-1' }),
  },
]

/** The day of the clock change in Chicago, and the evening of the next day. */
const changes = [
  { hours: 23, date: '2026-03-08', now: '2026-03-10T03:00:00.000Z' },
  { hours: 25, date: '2026-11-01', now: '2026-11-03T03:00:00.000Z' },
] as const

interface Day {
  readonly sourceId: string
  readonly date: string
}

describe.each(subjects)('the days of $provider around a clock change', (subject) => {
  test.each(changes)('a day of $hours hours', async ({ date, now }) => {
    await using fake = await startFake(subject.provider, { vehicles: 12, days: DAYS + 1, now })
    const adapter = subject.adapter(fake.url)
    const api = adapter.api(subject.credentials(fake.url), new AbortController().signal)
    const window = { from: Date.parse(now) - DAYS * DAY_MS, to: Date.parse(now) }
    for (const model of subject.models) {
      const reader = adapter.readers[model] as Reader<Day> | undefined
      if (!reader) throw new Error(`${model} is not read`)
      const query = { from: new Date(window.from).toISOString(), to: now }
      const truth = keyed(await fake.truth<Day[]>(model, query), date)
      expect({ model, days: keyed(await readAll(reader, api, window), date) }).toEqual({ model, days: truth })
      expect(Object.values(truth).filter((day) => day.date === date).length).toBeGreaterThan(0)
    }
  })
})

/** Indexes the days from the day before the change on by id, with distances rounded to the meter. */
function keyed(days: readonly Day[], change: string): Record<string, Day> {
  const from = new Date(Date.parse(change) - DAY_MS).toISOString().slice(0, 10)
  return Object.fromEntries(
    days
      .filter(({ date }) => date >= from)
      .toSorted((one, other) => one.sourceId.localeCompare(other.sourceId))
      .map((day) => [day.sourceId, toTheMeter(day)]),
  )
}

const toTheMeter = (day: Day): Day =>
  Object.fromEntries(
    Object.entries(day).map(([name, value]) => [
      name,
      /Kilometers$|Liters$/.test(name) && typeof value === 'number' ? Number(value.toFixed(3)) : value,
    ]),
  ) as unknown as Day

async function readAll(reader: Reader<Day>, api: ProviderApi, window: TimeWindow): Promise<Day[]> {
  const days: Day[] = []
  for (let state: ReaderState = null; ;) {
    const page = await reader.read(api, state, window, emptyRoster)
    days.push(...page.records.map((record) => reader.normalize(record)))
    if (page.next === null || page.isCaughtUp) return days
    state = page.next
  }
}
