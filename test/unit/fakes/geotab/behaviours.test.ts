import { expect, test } from 'vitest'
import type { BehaviourTable } from '../../../fakes/kit/behaviours.ts'
import { behaviours } from '../../../fakes/geotab/behaviours.ts'
import { defaultSwitches } from '../../../fakes/geotab/switches.ts'

/** Unverified behaviours without a switch: clients can support only one variant, or see no difference. */
const unswitchable = ['feedTypes', 'timeSearch', 'troubleCodes', 'dutyStatuses', 'shift']

test('every unverified behaviour has a switch', () => {
  const unverified = Object.entries(behaviours as BehaviourTable).filter(([, { mark }]) => mark !== 'V')
  expect(unverified.filter(([, { positions }]) => positions === undefined).map(([id]) => id)).toEqual(
    unswitchable,
  )
  for (const [, { positions }] of unverified) expect(positions?.length ?? 2).toBeGreaterThan(1)
})

test('every switch starts at its first position', () => {
  for (const [id, position] of Object.entries(defaultSwitches))
    expect((behaviours as BehaviourTable)[id]?.positions?.[0]).toBe(position)
})
