import { expect, test } from 'vitest'
import { withStartPoints } from '../../../../src/providers/geotab/readers/trip-starts.ts'
import type { ReadPage } from '../../../../src/providers/provider.ts'
import { compare } from '../../../fakes/geotab/compare.ts'
import type { Fact } from '../../../fakes/geotab/caller.ts'
import { emptyRoster } from '../../../support/providers/empty-roster.ts'
import { kept, NOW, signedIn, startGeotab, typedAt } from '../../../support/providers/geotab-harness.ts'

const to = Date.parse(NOW)
const DAYS = 3
const window = { from: to - (DAYS + 1) * 86_400_000, to }

test.each([
  ['Trip', 'endLocation'],
  ['HOSLog', 'location'],
] as const)('a %s is read whose place is none, without it', async (model, name) => {
  await using geotab = await startGeotab({ vehicles: 6, days: DAYS })
  await geotab.fake.behave({ oddRecords: 'some' })
  const { api } = kept(geotab, await signedIn(geotab, typedAt(geotab)))
  const reader = geotab.adapter.readers[model]
  const page = (await reader?.read(api, null, window, emptyRoster)) as ReadPage
  const drafts = page.records.flatMap((record) =>
    readable(() => reader?.normalize(record) as unknown as Fact),
  )
  compare(drafts, await geotab.fake.truth<Fact[]>(model))
  expect(drafts.filter((draft) => draft[name] === null).length).toBeGreaterThan(2)
})

/** Some trips never are. */
function readable(draft: () => Fact): Fact[] {
  try {
    return [draft()]
  } catch {
    return []
  }
}

test('the next trip does not begin where there is no place', async () => {
  await using geotab = await startGeotab({ vehicles: 6, days: DAYS })
  const { api } = kept(geotab, await signedIn(geotab, typedAt(geotab)))
  const trips = (await api.post('/apiv1', { method: 'Get', params: { typeName: 'Trip' } })) as Fact[]
  const nowhere = trips.map((trip) => ({ ...trip, stopPoint: { x: 0, y: 0 } }))
  const blind = { ...api, post: async (_path: string, body: unknown) => answersTo(body).map(() => []) }
  const placed = (await withStartPoints(blind, nowhere)) as { startPoint: unknown }[]
  expect(placed.length).toBeGreaterThan(1)
  for (const { startPoint } of placed) expect(startPoint).toBeNull()
})

const answersTo = (body: unknown): unknown[] => (body as { params: { calls: unknown[] } }).params.calls
