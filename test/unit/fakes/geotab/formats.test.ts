import { expect, test } from 'vitest'
import { kilometers, rounded } from '../../../fakes/geotab/formats.ts'

test('a reported distance equals the true distance when both are rounded to meters', () => {
  for (const meters of [144_920.499_7, 100_003.499_6, 132_652.499_9])
    expect(rounded(kilometers(meters), 3)).toBe(rounded(meters / 1000, 3))
})
