import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { latestModels, type SyncedModel, syncedModels } from '../../../src/domain/record-models.ts'
import type { ProviderApi } from '../../../src/providers/provider-api.ts'
import { safetyEventTypes } from '../../../src/domain/models/safety-event.ts'
import { statTypes } from '../../../src/domain/models/vehicle-stat-log.ts'
import type { Reader, ReaderState, TimeWindow } from '../../../src/providers/provider.ts'
import { sandboxAdapter } from '../../../src/providers/sandbox/adapter.ts'
import { type Simulator, startSimulator } from '../../../src/providers/sandbox/simulator/server.ts'
import { emptyRoster } from '../../support/providers/empty-roster.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const LAST_DAY = () => ({ from: Date.now() - DAY_MS, to: Date.now() })

let simulator: Simulator
let adapter: ReturnType<typeof sandboxAdapter>
let api: ProviderApi
beforeAll(async () => {
  simulator = await startSimulator({ ratePerSecond: 10_000 })
  adapter = sandboxAdapter(`http://127.0.0.1:${simulator.port}`)
  api = apiOf('sandbox-50-1')
})
afterAll(() => simulator.close())

const apiOf = (apiKey: string) => adapter.api({ apiKey }, new AbortController().signal)

/** Returns all normalized records of a reader, and the error messages of the refused records. */
async function readAll<Normalized>(reader: Reader<Normalized>, window: TimeWindow, from = api) {
  const normalized: Normalized[] = []
  const refused: string[] = []
  let state: ReaderState = null
  do {
    const page = await reader.read(from, state, window, emptyRoster)
    for (const record of page.records)
      try {
        normalized.push(reader.normalize(record))
      } catch (error) {
        refused.push((error as Error).message)
      }
    state = page.next
  } while (state !== null)
  return { normalized, refused }
}

const readerOf = <M extends SyncedModel>(model: M) => {
  const reader = adapter.readers[model]
  if (!reader) throw new Error(`there is no reader of ${model}`)
  return reader as NonNullable<typeof reader>
}

test('a first sync of the demo reads every model, and refuses only unknown safety event types', async () => {
  const window = LAST_DAY()
  for (const model of syncedModels) {
    const { normalized, refused } = await readAll(readerOf(model) as Reader<unknown>, window)
    expect({ model, any: normalized.length > 0 }).toEqual({ model, any: true })
    if (model !== 'SafetyEvent') expect({ model, refused }).toEqual({ model, refused: [] })
    else expect(new Set(refused)).toEqual(new Set(['SafetyEvent.type: no known value']))
  }
})

test('the latest models are read for every vehicle, trailer and driver that has them', async () => {
  const window = LAST_DAY()
  for (const model of latestModels) {
    const reader = adapter.latest[model] as Reader<unknown> | undefined
    const { normalized, refused } = await readAll(reader!, window)
    expect(reader?.mode).toBe('full')
    expect({ model, refused }).toEqual({ model, refused: [] })
    expect(normalized.length).toBeGreaterThan(30)
  }
})

test('the account has the time zone of its days', async () => {
  const account = await adapter.identify(api, {})
  expect(account.timeZone).toBe('America/Denver')
  expect(account.dotNumbers.length).toBeGreaterThan(0)
})

test('removed groups, vehicles, drivers, trailers and devices have the time of their removal', async () => {
  for (const model of ['Group', 'Vehicle', 'Driver', 'Trailer', 'Device'] as const) {
    const { normalized } = await readAll(readerOf(model) as Reader<{ deletedAt?: number | null }>, LAST_DAY())
    const removed = normalized.filter(({ deletedAt }) => typeof deletedAt === 'number')
    expect(removed.length).toBeGreaterThan(0)
    expect(removed.length).toBeLessThan(normalized.length / 10)
  }
})

describe('a larger fleet over some weeks', () => {
  const window = { from: Date.UTC(2025, 8, 1), to: Date.UTC(2025, 8, 29) }

  test('has safety events of all 19 types', async () => {
    const { normalized } = await readAll(readerOf('SafetyEvent'), window, apiOf('sandbox-400-6'))
    expect(new Set(normalized.map(({ type }) => type))).toEqual(new Set(safetyEventTypes))
  })

  test('has measurements of all 12 types', async () => {
    const day = { from: window.from, to: window.from + DAY_MS }
    const { normalized } = await readAll(readerOf('VehicleStatLog'), day, apiOf('sandbox-20-6'))
    expect(new Set(normalized.map(({ type }) => type))).toEqual(new Set(statTypes))
  })

  test('has fault codes of both protocols', async () => {
    const { normalized } = await readAll(readerOf('FaultCodeEvent'), window)
    expect(new Set(normalized.map(({ protocol }) => protocol))).toEqual(new Set(['j1939', 'obdii']))
    for (const { code } of normalized) expect(code).toMatch(/^(SPN\d+-FMI\d+|[PCU]\d{4})$/)
  })
})

test('thirteen months of IFTA are read, in several states and provinces', async () => {
  const window = { from: Date.UTC(2024, 8, 15), to: Date.UTC(2025, 8, 10) }
  const { normalized } = await readAll(readerOf('IFTASummary'), window)
  expect(new Set(normalized.map(({ month }) => month)).size).toBe(13)
  expect(new Set(normalized.map(({ jurisdiction }) => jurisdiction)).size).toBeGreaterThan(8)
})

test('the clips of a safety event have URLs that can be fetched', async () => {
  const { normalized } = await readAll(readerOf('SafetyEvent'), {
    from: Date.now() - 3 * DAY_MS,
    to: Date.now(),
  })
  const filmed = normalized.find(({ frontCamera }) => frontCamera?.available)!
  const media = await adapter.cameraMedia!(api, filmed.sourceId, filmed.startedAt)
  expect(media.files.frontFacing?.sourceId).toBe(filmed.frontCamera?.sourceId)
  expect((await fetch(media.files.frontFacing!.url)).status).toBe(200)
  const unfilmed = normalized.find(({ frontCamera }) => frontCamera === null)!
  expect((await adapter.cameraMedia!(api, unfilmed.sourceId, unfilmed.startedAt)).files).toEqual({
    frontFacing: null,
    rearFacing: null,
  })
})
