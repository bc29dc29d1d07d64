import { expect, test } from 'vitest'
import type { SyncedModel } from '../../../../src/domain/record-models.ts'
import { withStartPoints } from '../../../../src/providers/geotab/readers/trip-starts.ts'
import type { Reader, ReadPage } from '../../../../src/providers/provider.ts'
import { normalizeRecord } from '../../../../src/sync/ingest/normalize-record.ts'
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

test.each([
  ['Trip', 'endLocation'],
  ['HOSLog', 'location'],
] as const)('a %s with an invalid position is read without the position', async (model, name) => {
  await using geotab = await startGeotab({ vehicles: 6, days: DAYS })
  await geotab.fake.behave({ oddRecords: 'some' })
  const { api } = connectionWith(geotab, await signIn(geotab, newUserCredentials(geotab)))
  const reader = geotab.adapter.readers[model]
  const page = (await reader?.read(api, null, window, emptyRoster)) as ReadPage
  const normalized = page.records.flatMap((record) =>
    readable(() => normalizedFrom(model, reader as Reader<object>, record)),
  )
  compare(normalized, await geotab.fake.truth<RecordFields[]>(model))
  expect(normalized.filter((record) => record[name] === null).length).toBeGreaterThan(2)
})

const normalizedFrom = (model: SyncedModel, reader: Reader<object>, record: unknown) =>
  normalizeRecord({ model, reader, asOf: to }, record).normalized as RecordFields

/** Returns the normalized record, or none for a trip that cannot be read. */
function readable(normalize: () => RecordFields): RecordFields[] {
  try {
    return [normalize()]
  } catch {
    return []
  }
}

test('a trip has no start position if the trip before it ends at an invalid one', async () => {
  await using geotab = await startGeotab({ vehicles: 6, days: DAYS })
  const { api } = connectionWith(geotab, await signIn(geotab, newUserCredentials(geotab)))
  const trips = (await api.post('/apiv1', { method: 'Get', params: { typeName: 'Trip' } })) as RecordFields[]
  const withoutStops = trips.map((trip) => ({ ...trip, stopPoint: { x: 0, y: 0 } }))
  const emptyApi = { ...api, post: async (_path: string, body: unknown) => callsOf(body).map(() => []) }
  const trimmed = (await withStartPoints(emptyApi, withoutStops)) as { startPoint: unknown }[]
  expect(trimmed.length).toBeGreaterThan(1)
  for (const { startPoint } of trimmed) expect(startPoint).toBeNull()
})

const callsOf = (body: unknown): unknown[] => (body as { params: { calls: unknown[] } }).params.calls
