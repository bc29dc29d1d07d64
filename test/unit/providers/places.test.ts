import { expect, test } from 'vitest'
import { hasValidCoordinates, validCoordinates } from '../../../src/providers/mapping/valid-coordinates.ts'

test.each([
  [{ latitude: 0, longitude: 0 }, false],
  [{ latitude: 0, longitude: 6.6 }, true],
  [{ latitude: 51.5, longitude: 0 }, true],
  [{ latitude: -0, longitude: 0 }, false],
  [{ latitude: 'north', longitude: 0 }, true],
  [null, true],
])('of %j it says that it is a place: %s', (record, is) => expect(hasValidCoordinates(record)).toBe(is))

test('a null island is nowhere', () => {
  expect(validCoordinates({ latitude: 0, longitude: 0 })).toBeNull()
  expect(validCoordinates(null)).toBeNull()
  expect(validCoordinates(undefined)).toBeNull()
  expect(validCoordinates({ latitude: 0, longitude: 6.6 })).toEqual({ latitude: 0, longitude: 6.6 })
})
