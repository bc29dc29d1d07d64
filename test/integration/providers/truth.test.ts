import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { modelNames } from '../../../src/domain/record-models.ts'
import type { ProviderApi } from '../../../src/providers/provider-api.ts'
import type {
  ProviderAdapter,
  Reader,
  ReaderState,
  Roster,
  TimeWindow,
} from '../../../src/providers/provider.ts'
import { type RunningFake, startFake } from '../../fakes/kit/start-fake.ts'
import type { Subject } from '../../support/providers/subject.ts'
import { subjects } from '../../support/providers/subjects.ts'

const DAY_MS = 86_400_000

const NOW = '2026-06-15T18:00:00.000Z'
const DAYS = 10
const clock = { now: () => Date.parse(NOW) }

interface Run {
  readonly provider: string
  readonly subject: Subject
  readonly behaviours?: Readonly<Record<string, string>>
}

/** Each as its fake usually behaves, and once more with its switches turned. */
const runs: readonly Run[] = subjects.flatMap((subject) => {
  const { provider, behaviours } = subject
  return [{ provider, subject }, ...(behaviours ? [{ provider, subject, behaviours }] : [])]
})

describe.each(runs)('what is read of $provider is what is true, $behaviours', ({ subject, behaviours }) => {
  const models = modelsOf(subject.adapter('http://127.0.0.1:1', clock))
  let fake: RunningFake
  let api: ProviderApi
  let readers: Readonly<Record<string, Reader<object>>>

  beforeAll(async () => {
    fake = await startFake(subject.provider, { vehicles: subject.vehicles ?? 6, days: DAYS, now: NOW })
    if (behaviours) await fake.behave(behaviours)
    const adapter = subject.adapter(fake.url, clock)
    api = adapter.api(subject.credentials(fake.url), new AbortController().signal)
    readers = readersOf(adapter)
  })
  afterAll(() => fake[Symbol.asyncDispose]())

  test('and whose account it is', async () => {
    const adapter = subject.adapter(fake.url, clock)
    const account = await adapter.identify(api, subject.credentials(fake.url))
    const said = expect.stringMatching(/\S/)
    expect(account).toMatchObject({ sourceId: said, name: said })
  })

  const window = { from: Date.parse(NOW) - (DAYS - 1) * DAY_MS, to: Date.parse(NOW) }

  test.each(models)('%s', async (model) => {
    const reader = readers[model] as Reader<object>
    const { drafts, refused } = await everything(reader, api, window, rosterOf(fake))
    const truth = await fake.truth<Draft[]>(model, told(window))
    const compared = model.startsWith('Latest') ? () => true : begunIn(window)
    expect(refused).toEqual([])
    expect(keyed(drafts.filter(compared))).toEqual(keyed(truth.filter(compared)))
    expect(Object.keys(keyed(truth))).toHaveLength(truth.length)
    expect(truth.length).toBeGreaterThan(0)
  })

  test('and no more is promised than is read, or computed', () => {
    const { manifest, cameraMedia } = subject.adapter(fake.url, clock)
    const promised = modelNames.filter((model) => manifest.supportedModels[model].read === 'supported')
    const read = cameraMedia ? [...models, 'CameraMedia'] : models
    expect(withoutSums(promised)).toEqual(withoutSums(read))
  })
})

const readersOf = ({ readers, latest }: ProviderAdapter) =>
  ({ ...readers, ...latest }) as Readonly<Record<string, Reader<object>>>

const modelsOf = (adapter: ProviderAdapter): string[] => Object.keys(readersOf(adapter))

/** Where a provider has no sums of jurisdictions, the service computes them. */
const withoutSums = (models: readonly string[]) =>
  models.filter((model) => model !== 'IFTASummary').toSorted()

type Draft = Readonly<Record<string, unknown>>

const told = ({ from, to }: TimeWindow) => ({
  from: new Date(from).toISOString(),
  to: new Date(to).toISOString(),
})

const rosters = { vehicle: 'Vehicle', driver: 'Driver', trailer: 'Trailer' } as const

/** What is stored once the roster was read. */
const rosterOf = (fake: RunningFake): Roster => ({
  async sourceIdsAfter(kind, after, most) {
    const members = await fake.truth<{ sourceId: string }[]>(rosters[kind])
    const ids = members.map(({ sourceId }) => sourceId).toSorted()
    return ids.filter((id) => id > after).slice(0, most)
  },
})

/** Readers also tell what reaches into the window, and what was learned in it of a time before. */
function begunIn({ from }: TimeWindow): (draft: object) => boolean {
  return (draft) => {
    const { startedAt, observedAt, locatedAt, timestamp, date } = draft as Draft
    const begun = startedAt ?? observedAt ?? locatedAt ?? timestamp ?? date
    return begun === undefined || Number(typeof begun === 'string' ? Date.parse(begun) : begun) >= from
  }
}

/** Measures to what an answer tells of them. */
const decimals: readonly (readonly [RegExp, number])[] = [
  [/(Kph|Percentage|^value)$/, 2],
  [/Kilometers$/, 3],
]

const measured = (draft: Draft): Draft =>
  Object.fromEntries(Object.entries(draft).map(([name, value]) => [name, roundedAs(name, value)]))

function roundedAs(name: string, value: unknown): unknown {
  const digits = decimals.find(([names]) => names.test(name))?.[1]
  return typeof value === 'number' && digits !== undefined ? Number(value.toFixed(digits)) : value
}

/** By what a record is known by, so that what differs is shown of one record. */
const keyed = (drafts: readonly object[]): Record<string, object> =>
  Object.fromEntries(
    (drafts as readonly Draft[]).map((draft) => [
      [
        draft['sourceId'] ?? draft['driverSourceId'],
        draft['vehicleSourceId'],
        draft['type'],
        draft['locatedAt'] ?? draft['timestamp'],
      ].join(' '),
      measured(draft),
    ]),
  )

async function everything(reader: Reader<object>, api: ProviderApi, window: TimeWindow, roster: Roster) {
  const drafts: object[] = []
  const refused: unknown[] = []
  let state: ReaderState = null
  for (;;) {
    const page = await reader.read(api, state, window, roster)
    for (const record of page.records)
      try {
        drafts.push(reader.normalize(record, window.to))
      } catch (error) {
        refused.push([String(error), record])
      }
    if (page.next === null || page.isCaughtUp) return { drafts, refused }
    state = page.next
  }
}
