import { expect, test } from 'vitest'
import type { ReaderState, ReadPage } from '../../../../src/providers/provider.ts'
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

const DAYS = 3
const to = Date.parse(NOW)
const window = { from: to - (DAYS + 1) * 86_400_000, to }

const models = ['Trip', 'SafetyEvent', 'HOSLog', 'VehicleUtilization'] as const

test.each([
  { tooManyResults: 'are a result', overLimit: '200' },
  { tooManyResults: 'are results', overLimit: '200' },
  { tooManyResults: 'are results', overLimit: '429' },
])('a Get with too many results is split into smaller requests: %j', async (behavior) => {
  await using geotab = await startGeotab({ vehicles: 6, days: DAYS, settings: { mostFound: '40' } })
  await geotab.fake.behave(behavior)
  const { api } = connectionWith(geotab, await signIn(geotab, newUserCredentials(geotab)))
  for (const model of models) {
    const reader = geotab.adapter.readers[model]
    const normalized: RecordFields[] = []
    for (let state: ReaderState | undefined = null; state !== undefined;) {
      const page = (await reader?.read(api, state, window, emptyRoster)) as ReadPage
      normalized.push(...page.records.map((record) => reader?.normalize(record) as unknown as RecordFields))
      state = page.isCaughtUp ? undefined : (page.next ?? undefined)
    }
    compare(normalized, await geotab.fake.truth<RecordFields[]>(model))
  }
  expect((await countsOf(geotab.fake))['fleet_1 Get LogRecord']).toBeGreaterThan(0)
})
