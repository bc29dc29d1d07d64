import { expect, test } from 'vitest'
import type { ProviderApi } from '../../../../src/providers/provider-api.ts'
import type { ProviderAdapter, Reader, ReaderState } from '../../../../src/providers/provider.ts'
import { compare } from '../../../fakes/geotab/compare.ts'
import type { RecordFields } from '../../../fakes/geotab/caller.ts'
import { emptyRoster } from '../../../support/providers/empty-roster.ts'
import {
  countsOf,
  connectionWith,
  NOW,
  signIn,
  startGeotab,
  newUserCredentials,
} from '../../../support/providers/geotab-harness.ts'

const HOUR_MS = 3_600_000
const DAYS = 12

const feeds = {
  VehicleLocation: 'LogRecord',
  VehicleStatLog: 'StatusData',
  Trip: 'Trip',
  SafetyEvent: 'ExceptionEvent',
  FaultCodeEvent: 'FaultData',
  HOSLog: 'DutyStatusLog',
} as const

/** State of each record by its key: a feed sends a changed record again. */
class Known {
  readonly facts = new Map<string, RecordFields>()
  private place: ReaderState = null

  constructor(private readonly reader: Reader<object>) {}

  /** Continues at its last version, as the next sync does. */
  async readOn(api: ProviderApi): Promise<void> {
    for (let isCaughtUp = false; !isCaughtUp;) {
      const window = { from: Date.parse(NOW) - (DAYS + 1) * 24 * HOUR_MS, to: Date.parse(NOW) }
      const page = await this.reader.read(api, this.place, window, emptyRoster)
      for (const record of page.records) {
        const normalized = this.reader.normalize(record) as RecordFields
        this.facts.set(keyOf(normalized), normalized)
      }
      this.place = JSON.parse(JSON.stringify(page.next)) as ReaderState
      isCaughtUp = page.isCaughtUp === true
    }
  }
}

const keyOf = (normalized: RecordFields): string =>
  [
    normalized['sourceId'],
    normalized['vehicleSourceId'],
    normalized['type'],
    normalized['locatedAt'] ?? normalized['timestamp'],
  ].join(' ')

const readerOf = (adapter: ProviderAdapter, model: keyof typeof feeds) =>
  adapter.readers[model] as unknown as Reader<object>

test.each(['updates', 'unknown'])(
  'each feed resumes at its last version, and reaches the truth each time: next trips are %s',
  { timeout: 240_000 },
  async (nextTrip) => {
    await using geotab = await startGeotab({ vehicles: 12, days: DAYS })
    const { adapter, fake } = geotab
    await fake.behave({ nextTrip })
    const { api } = connectionWith(geotab, await signIn(geotab, newUserCredentials(geotab)))
    const models = Object.keys(feeds) as (keyof typeof feeds)[]
    const known = new Map(models.map((model) => [model, new Known(readerOf(adapter, model))]))
    for (const hours of [0, 7, 24, 24]) {
      await fake.move({ advanceMilliseconds: hours * HOUR_MS })
      await fake.forgetCalls()
      for (const [model, { facts }] of known) {
        await known.get(model)?.readOn(api)
        compare([...facts.values()], await fake.truth<RecordFields[]>(model), keyOf)
      }
    }
    const counts = await countsOf(fake)
    for (const typeName of Object.values(feeds))
      expect([typeName, counts[`fleet_1 GetFeed ${typeName}`]]).toEqual([
        typeName,
        typeName === 'StatusData' ? 4 : 1,
      ])
  },
)

test('a list longer than a page continues after the last id', async () => {
  await using geotab = await startGeotab({ vehicles: 20 })
  const { api } = connectionWith(geotab, await signIn(geotab, newUserCredentials(geotab)))
  const { Vehicle } = geotab.adapter.readers
  const idsAfter = async (state: ReaderState) => {
    const page = await Vehicle?.read(api, state, { from: 0, to: 0 }, emptyRoster)
    return (page?.records ?? []).map((record) => (record as { readonly id: string }).id)
  }
  const all = await idsAfter(null)
  const seventh = all[6] as string
  expect(all.length).toBeGreaterThan(16)
  expect(await idsAfter({ after: seventh })).toEqual(all.slice(7))
})
