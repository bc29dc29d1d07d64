import { expect, test } from 'vitest'
import { kilometers, rounded } from '../../../fakes/geotab/words.ts'

test('whoever rounds what is told to meters comes to what is true', () => {
  for (const meters of [144_920.499_7, 100_003.499_6, 132_652.499_9])
    expect(rounded(kilometers(meters), 3)).toBe(rounded(meters / 1000, 3))
})
