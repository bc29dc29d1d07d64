import { expect, test } from 'vitest'
import { compare } from '../../../fakes/geotab/compare.ts'
import type { Fact } from '../../../fakes/geotab/caller.ts'
import type { ReaderState, ReadPage } from '../../../../src/providers/provider.ts'
import { emptyRoster } from '../../../support/providers/empty-roster.ts'
import {
  countsOf,
  kept,
  NOW,
  signedIn,
  startGeotab,
  typedAt,
} from '../../../support/providers/geotab-harness.ts'

const [DRIVERS, AT_ONCE, OF_A_PAGE] = [250, 50, 100]

test('what is left of the hours of a hundred drivers is read in a page, and the statuses of all in one call', async () => {
  await using geotab = await startGeotab({ vehicles: DRIVERS, days: 2 })
  const { api } = kept(geotab, await signedIn(geotab, typedAt(geotab)))
  const reader = geotab.adapter.latest.HOSAvailableTime
  if (!reader) throw new Error('it is not read')
  const records: unknown[] = []
  let pages = 0
  for (let state: ReaderState | undefined = null; state !== undefined; pages++) {
    const page: ReadPage = await reader.read(api, state, { from: 0, to: Date.parse(NOW) }, emptyRoster)
    records.push(...page.records)
    state = page.next ?? undefined
  }
  const drafts = records.map((record) => reader.normalize(record)) as unknown as Fact[]
  expect(drafts.length).toBeGreaterThan(200)
  compare(drafts, await geotab.fake.truth<Fact[]>('HOSAvailableTime'), (fact) =>
    String(fact['driverSourceId']),
  )
  const counts = await countsOf(geotab.fake)
  expect(pages).toBeLessThanOrEqual(Math.ceil(DRIVERS / OF_A_PAGE) + 1)
  expect([counts['fleet_1 Get User'], counts['fleet_1 Get DutyStatusLog']]).toEqual([pages, 1])
  // One for each so many drivers, and for those who have had no status since yesterday up to two more.
  expect(counts['fleet_1 ExecuteMultiCall']).toBeLessThanOrEqual(
    Math.ceil(drafts.length / AT_ONCE) + 3 * pages,
  )
})
