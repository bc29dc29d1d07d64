import { expect, test } from 'vitest'
import { compare } from '../../fakes/geotab/compare.ts'
import type { Fact } from '../../fakes/geotab/caller.ts'
import { noRoster } from '../no-roster.ts'
import { countsOf, kept, NOW, signedIn, startGeotab, typedAt } from './rig.ts'

const [DRIVERS, AT_ONCE] = [250, 50]

test('what is left of the hours of hundreds of drivers is read in a page, and their statuses in one call', async () => {
  await using geotab = await startGeotab({ vehicles: DRIVERS, days: 2 })
  const { api } = kept(geotab, await signedIn(geotab, typedAt(geotab)))
  const reader = geotab.adapter.latest.HOSAvailableTime
  if (!reader) throw new Error('it is not read')
  const page = await reader.read(api, null, { from: 0, to: Date.parse(NOW) }, noRoster)
  expect(page.next).toBeNull()
  const drafts = page.records.map((record) => reader.toDraft(record)) as unknown as Fact[]
  expect(drafts.length).toBeGreaterThan(200)
  compare(drafts, await geotab.fake.truth<Fact[]>('HOSAvailableTime'), (fact) =>
    String(fact['driverSourceId']),
  )
  const counts = await countsOf(geotab.fake)
  expect([counts['fleet_1 Get User'], counts['fleet_1 Get DutyStatusLog']]).toEqual([1, 1])
  // One for each so many drivers, and for those who have had no status since yesterday up to two more.
  expect(counts['fleet_1 ExecuteMultiCall']).toBeLessThanOrEqual(Math.ceil(drafts.length / AT_ONCE) + 4)
})
