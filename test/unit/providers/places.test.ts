import { expect, test } from 'vitest'
import { hasValidCoordinates, validCoordinates } from '../../../src/providers/mapping/valid-coordinates.ts'

test.each([
  [{ latitude: 0, longitude: 0 }, false],
  [{ latitude: 0, longitude: 6.6 }, true],
  [{ latitude: 51.5, longitude: 0 }, true],
  [{ latitude: -0, longitude: 0 }, false],
  [{ latitude: 'north', longitude: 0 }, true],
  [null, true],
])('%j has valid coordinates: %s', (record, isValid) => expect(hasValidCoordinates(record)).toBe(isValid))

test('the coordinates 0, 0 are null', () => {
  expect(validCoordinates({ latitude: 0, longitude: 0 })).toBeNull()
  expect(validCoordinates(null)).toBeNull()
  expect(validCoordinates(undefined)).toBeNull()
  expect(validCoordinates({ latitude: 0, longitude: 6.6 })).toEqual({ latitude: 0, longitude: 6.6 })
})
