import { expect, test } from 'vitest'
import type { ReadPage } from '../../../../src/providers/provider.ts'
import { compare } from '../../../fakes/geotab/compare.ts'
import type { RecordFields } from '../../../fakes/geotab/caller.ts'
import { emptyRoster } from '../../../support/providers/empty-roster.ts'
import {
  connectionWith,
  NOW,
  signIn,
  startGeotab,
  newUserCredentials,
} from '../../../support/providers/geotab-harness.ts'

const to = Date.parse(NOW)
const DAYS = 3
const window = { from: to - (DAYS + 1) * 86_400_000, to }

test('driving without a seat belt is read as a safety event', async () => {
  await using geotab = await startGeotab({ vehicles: 20, days: DAYS })
  await geotab.fake.behave({ seatBelts: 'some' })
  const { api } = connectionWith(geotab, await signIn(geotab, newUserCredentials(geotab)))
  const reader = geotab.adapter.readers.SafetyEvent
  const page = (await reader?.read(api, null, window, emptyRoster)) as ReadPage
  const normalized = page.records.map((record) => reader?.normalize(record) as unknown as RecordFields)
  compare(normalized, await geotab.fake.truth<RecordFields[]>('SafetyEvent'))
  expect(normalized.filter(({ type }) => type === 'seat_belt_violation').length).toBeGreaterThan(3)
  expect(geotab.adapter.manifest.supportedModels.SafetyEvent.types).toContain('seat_belt_violation')
})
