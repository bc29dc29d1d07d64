import { expect, test } from 'vitest'
import { prove } from '../../prove/settings/settings.ts'
import { stores } from '../../support/database/stores.ts'

test.each(stores)('random changes decide on every event that follows, on %s', async (store) => {
  const sizes = { events: 2000, changes: 200, endpoints: 8, connections: 6, lostPercent: 50, seed: 7 }
  expect(await prove(store, sizes)).toEqual([])
})
