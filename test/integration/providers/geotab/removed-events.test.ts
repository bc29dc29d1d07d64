import { expect, test } from 'vitest'
import type { ReaderState, ReadPage } from '../../../../src/providers/provider.ts'
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

const HOUR_MS = 3_600_000
const DAYS = 6

test.each(['sent', 'never'])(
  'an event that becomes invalid or dismissed is removed, with such states %s',
  async (eventStates) => {
    await using geotab = await startGeotab({ vehicles: 12, days: DAYS })
    await geotab.fake.behave({ eventStates })
    const { api } = connectionWith(geotab, await signIn(geotab, newUserCredentials(geotab)))
    const reader = geotab.adapter.readers.SafetyEvent
    const known = new Map<string, RecordFields>()
    const removed: string[] = []
    let state: ReaderState = null
    for (const hours of [0, 6, 12, 12]) {
      await geotab.fake.move({ advanceMilliseconds: hours * HOUR_MS })
      const to = Date.parse(NOW) + 30 * HOUR_MS
      const window = { from: Date.parse(NOW) - (DAYS + 1) * 24 * HOUR_MS, to }
      const page = (await reader?.read(api, state, window, emptyRoster)) as ReadPage
      for (const record of page.records) {
        const fact = reader?.normalize(record) as unknown as RecordFields
        known.set(String(fact['sourceId']), fact)
      }
      for (const id of page.removed ?? []) if (known.delete(id)) removed.push(id)
      state = page.next
      compare([...known.values()], await geotab.fake.truth<RecordFields[]>('SafetyEvent'))
    }
    if (eventStates === 'sent') expect(removed).not.toEqual([])
    else expect(removed).toEqual([])
  },
)
