import { expect, test } from 'vitest'
import type { BehaviourTable } from '../../../fakes/kit/behaviours.ts'
import { behaviours } from '../../../fakes/geotab/behaviours.ts'
import { usualSwitches } from '../../../fakes/geotab/switches.ts'

/** Where a guess cannot be switched, since a reader can follow one rule alone or none is seen from outside. */
const single = ['feedTypes', 'timeSearch', 'troubleCodes', 'dutyWords', 'shift']

test('what is not verified can be switched', () => {
  const unsure = Object.entries(behaviours as BehaviourTable).filter(([, { mark }]) => mark !== 'V')
  expect(unsure.filter(([, { positions }]) => positions === undefined).map(([id]) => id)).toEqual(single)
  for (const [, { positions }] of unsure) expect(positions?.length ?? 2).toBeGreaterThan(1)
})

test('every switch begins at its first position', () => {
  for (const [id, position] of Object.entries(usualSwitches))
    expect((behaviours as BehaviourTable)[id]?.positions?.[0]).toBe(position)
})
