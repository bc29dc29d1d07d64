import { expect, test } from 'vitest'
import { compare } from '../../../fakes/geotab/compare.ts'
import type { RecordFields } from '../../../fakes/geotab/caller.ts'
import type { ReaderState, ReadPage } from '../../../../src/providers/provider.ts'
import { emptyRoster } from '../../../support/providers/empty-roster.ts'
import {
  countsOf,
  connectionWith,
  NOW,
  signIn,
  startGeotab,
  newUserCredentials,
} from '../../../support/providers/geotab-harness.ts'

const [DRIVERS, DRIVERS_PER_CALL, PAGE_SIZE] = [250, 50, 100]

test('available times are read for 100 drivers a page, with one request for all duty statuses', async () => {
  await using geotab = await startGeotab({ vehicles: DRIVERS, days: 2 })
  const { api } = connectionWith(geotab, await signIn(geotab, newUserCredentials(geotab)))
  const reader = geotab.adapter.latest.HOSAvailableTime
  if (!reader) throw new Error('HOSAvailableTime is not read')
  const records: unknown[] = []
  let pages = 0
  for (let state: ReaderState | undefined = null; state !== undefined; pages++) {
    const page: ReadPage = await reader.read(api, state, { from: 0, to: Date.parse(NOW) }, emptyRoster)
    records.push(...page.records)
    state = page.next ?? undefined
  }
  const normalized = records.map((record) => reader.normalize(record)) as unknown as RecordFields[]
  expect(normalized.length).toBeGreaterThan(200)
  compare(normalized, await geotab.fake.truth<RecordFields[]>('HOSAvailableTime'), (fact) =>
    String(fact['driverSourceId']),
  )
  const counts = await countsOf(geotab.fake)
  expect(pages).toBeLessThanOrEqual(Math.ceil(DRIVERS / PAGE_SIZE) + 1)
  expect([counts['fleet_1 Get User'], counts['fleet_1 Get DutyStatusLog']]).toEqual([pages, 1])
  // Drivers without a duty status since yesterday need up to two more calls.
  expect(counts['fleet_1 ExecuteMultiCall']).toBeLessThanOrEqual(
    Math.ceil(normalized.length / DRIVERS_PER_CALL) + 3 * pages,
  )
})
