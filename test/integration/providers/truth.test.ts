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
import { absentFields, filledFields } from '../../support/providers/absent-fields.ts'
import { modelReadersOf } from '../../support/providers/read-model.ts'
import { rosterOfFake } from '../../support/providers/roster-of-fake.ts'
import type { Subject } from '../../support/providers/subjects/subject.ts'
import { subjects } from '../../support/providers/subjects/subjects.ts'

const DAY_MS = 86_400_000

const NOW = '2026-06-15T18:00:00.000Z'
const DAYS = 10
const clock = { now: () => Date.parse(NOW) }

interface Run {
  readonly provider: string
  readonly subject: Subject
  readonly behaviours?: Readonly<Record<string, string>>
}

/** Each provider runs with the defaults of its fake, and again with the switches changed. */
const runs: readonly Run[] = subjects.flatMap((subject) => {
  const { provider, behaviours } = subject
  return [{ provider, subject }, ...(behaviours ? [{ provider, subject, behaviours }] : [])]
})

describe.each(runs)('reads of $provider match its fake, $behaviours', ({ subject, behaviours }) => {
  const models = modelsOf(subject.adapter('http://127.0.0.1:1', clock))
  let fake: RunningFake
  let api: ProviderApi
  let readers: Readonly<Record<string, Reader<object>>>

  beforeAll(async () => {
    fake = await startFake(subject.provider, { vehicles: subject.vehicles ?? 6, days: DAYS, now: NOW })
    if (behaviours) await fake.behave(behaviours)
    const adapter = subject.adapter(fake.url, clock)
    api = adapter.api(subject.credentials(fake.url), new AbortController().signal)
    readers = modelReadersOf(adapter)
  })
  afterAll(() => fake[Symbol.asyncDispose]())

  test('and its account', async () => {
    const adapter = subject.adapter(fake.url, clock)
    const account = await adapter.identify(api, subject.credentials(fake.url))
    const text = expect.stringMatching(/\S/)
    expect(account).toMatchObject({ sourceId: text, name: text })
  })

  const window = { from: Date.parse(NOW) - (DAYS - 1) * DAY_MS, to: Date.parse(NOW) }

  test.each(models)('%s', async (model) => {
    const reader = readers[model] as Reader<object>
    const { normalized, errors } = await readAll(reader, api, window, await rosterOfFake(fake))
    const truth = await fake.truth<NormalizedRecord[]>(model, isoWindow(window))
    const compared = model.startsWith('Latest') ? () => true : startsIn(window)
    expect(errors).toEqual([])
    expect(keyed(normalized.filter(compared))).toEqual(keyed(truth.filter(compared)))
    expect(Object.keys(keyed(truth))).toHaveLength(truth.length)
    expect(truth.length).toBeGreaterThan(0)
    const filled = filledFields(truth)
    expect(absentFields(subject.provider, model).filter((field) => filled.has(field))).toEqual([])
  })

  test('and the manifest declares exactly the models that are read or computed', () => {
    const { manifest, cameraMedia } = subject.adapter(fake.url, clock)
    const promised = modelNames.filter((model) => manifest.supportedModels[model].read === 'supported')
    const read = cameraMedia ? [...models, 'CameraMedia'] : models
    expect(withoutSums(promised)).toEqual(withoutSums(read))
  })
})

const modelsOf = (adapter: ProviderAdapter): string[] => Object.keys(modelReadersOf(adapter))

/** Leaves out IFTA summaries: the service computes them if the provider has none. */
const withoutSums = (models: readonly string[]) =>
  models.filter((model) => model !== 'IFTASummary').toSorted()

type NormalizedRecord = Readonly<Record<string, unknown>>

const isoWindow = ({ from, to }: TimeWindow) => ({
  from: new Date(from).toISOString(),
  to: new Date(to).toISOString(),
})

/** Selects records that start in the window. Readers also return overlapping and changed ones. */
function startsIn({ from }: TimeWindow): (record: object) => boolean {
  return (record) => {
    const { startedAt, observedAt, locatedAt, timestamp, date } = record as NormalizedRecord
    const start = startedAt ?? observedAt ?? locatedAt ?? timestamp ?? date
    return start === undefined || Number(typeof start === 'string' ? Date.parse(start) : start) >= from
  }
}

/** Number of decimals that responses have for a measurement. */
const decimals: readonly (readonly [RegExp, number])[] = [
  [/(Kph|Percentage|^value)$/, 2],
  [/Kilometers$/, 3],
]

const roundMeasurements = (record: NormalizedRecord): NormalizedRecord =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, rounded(name, value)]))

function rounded(name: string, value: unknown): unknown {
  const digits = decimals.find(([names]) => names.test(name))?.[1]
  return typeof value === 'number' && digits !== undefined ? Number(value.toFixed(digits)) : value
}

/** Indexes records by key, so that a failed comparison shows single records. */
const keyed = (records: readonly object[]): Record<string, object> =>
  Object.fromEntries(
    (records as readonly NormalizedRecord[]).map((record) => [
      [
        record['sourceId'] ?? record['driverSourceId'],
        record['vehicleSourceId'],
        record['type'],
        record['locatedAt'] ?? record['timestamp'],
      ].join(' '),
      roundMeasurements(record),
    ]),
  )

async function readAll(reader: Reader<object>, api: ProviderApi, window: TimeWindow, roster: Roster) {
  const normalized: object[] = []
  const errors: unknown[] = []
  let state: ReaderState = null
  for (;;) {
    const page = await reader.read(api, state, window, roster)
    for (const record of page.records)
      try {
        normalized.push(reader.normalize(record, window.to))
      } catch (error) {
        errors.push([String(error), record])
      }
    if (page.next === null || page.isCaughtUp) return { normalized, errors }
    state = page.next
  }
}
