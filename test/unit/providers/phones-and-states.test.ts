import { describe, expect, test } from 'vitest'
import { normalizePhone } from '../../../src/providers/mapping/phone-numbers.ts'
import { toLicense } from '../../../src/providers/mapping/license.ts'
import { toStateCode } from '../../../src/providers/mapping/state-codes.ts'

describe('a phone number in free text', () => {
  test.each([
    ['+1 (214) 555-0142', '+12145550142'],
    ['214.555.0142', '+12145550142'],
    ['1/214/555–0142', '+12145550142'],
    ['+44 7700 900123', '+447700900123'],
    ['0044 7700 900123', '+447700900123'],
    ['+49 (0)171 123 4567', '+491711234567'],
  ])('with a country is normalized to E.164: %s', (input, normalized) => {
    expect(normalizePhone(input)).toBe(normalized)
  })

  test.each([
    ['(0171) 123 45678', '017112345678'],
    ['115 550 0142', '1155500142'],
  ])('without a country gets none: %s', (input, normalized) => {
    expect(normalizePhone(input)).toBe(normalized)
  })

  test.each([
    null,
    '',
    '555-0142',
    '+123 456 789',
    '+123456789012345',
    '123456789012345',
    '+0 214 555 0142',
    '214 555 0142 x 12',
    'call the office',
  ])('that the API cannot represent is null: %s', (input) => {
    expect(normalizePhone(input)).toBeNull()
  })
})

describe('a state or province', () => {
  test.each([
    ['TX', 'TX'],
    ['on', 'ON'],
    ['California', 'CA'],
    ['ONTARIO', 'ON'],
    ['new  york', 'NY'],
    ['Québec', 'QC'],
    ['Washington', 'WA'],
    ['Washington, D.C.', 'DC'],
    ['Newfoundland & Labrador', 'NL'],
    ['P.E.I.', 'PE'],
  ])('is a two-letter code in every spelling: %s', (input, normalized) => {
    expect(toStateCode(input)).toBe(normalized)
  })

  test.each([null, '', 'ZZ', 'Bavaria', 'CA1', 'MX', 'Carolina', 'constructor'])(
    'outside the United States and Canada is null: %s',
    (input) => {
      expect(toStateCode(input)).toBeNull()
    },
  )

  test('without a plate number makes no plate', () => {
    expect(toLicense(null, 'TX')).toBeNull()
    expect(toLicense('P1', 'ZZ')).toEqual({ state: null, number: 'P1' })
  })
})
