import { expect, test } from 'vitest'
import { isPlace, somewhere } from '../../src/providers/places.ts'

test.each([
  [{ latitude: 0, longitude: 0 }, false],
  [{ latitude: 0, longitude: 6.6 }, true],
  [{ latitude: 51.5, longitude: 0 }, true],
  [{ latitude: -0, longitude: 0 }, false],
  [{ latitude: 'north', longitude: 0 }, true],
  [null, true],
])('of %j it says that it is a place: %s', (record, is) => expect(isPlace(record)).toBe(is))

test('a null island is nowhere', () => {
  expect(somewhere({ latitude: 0, longitude: 0 })).toBeNull()
  expect(somewhere(null)).toBeNull()
  expect(somewhere(undefined)).toBeNull()
  expect(somewhere({ latitude: 0, longitude: 6.6 })).toEqual({ latitude: 0, longitude: 6.6 })
})
