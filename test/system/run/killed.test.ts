import { expect, test } from 'vitest'
import { prove } from '../../prove/killed-sync.ts'
import { stores } from '../../support/database/stores.ts'

test.each(stores)(
  'a first sync that is killed on %s finishes completely after the next start',
  async (store) => {
    expect(await prove(store, 25, 3)).toEqual([])
  },
)
