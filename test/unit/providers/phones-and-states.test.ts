import { describe, expect, test } from 'vitest'
import { normalizePhone } from '../../../src/providers/mapping/phone-numbers.ts'
import { toPlate, toStateCode } from '../../../src/providers/mapping/state-codes.ts'

describe('a phone number that somebody typed', () => {
  test.each([
    ['+1 (214) 555-0142', '+12145550142'],
    ['214.555.0142', '+12145550142'],
    ['1/214/555–0142', '+12145550142'],
    ['+44 7700 900123', '+447700900123'],
    ['0044 7700 900123', '+447700900123'],
    ['+49 (0)171 123 4567', '+491711234567'],
  ])('with a country becomes its digits: %s', (written, told) => {
    expect(normalizePhone(written)).toBe(told)
  })

  test.each([
    ['(0171) 123 45678', '017112345678'],
    ['115 550 0142', '1155500142'],
  ])('of no country that is told stays without one: %s', (written, told) => {
    expect(normalizePhone(written)).toBe(told)
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
  ])('that our API cannot tell is left out: %s', (written) => {
    expect(normalizePhone(written)).toBeNull()
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
  ])('is two letters, whichever way it is written: %s', (written, told) => {
    expect(toStateCode(written)).toBe(told)
  })

  test.each([null, '', 'ZZ', 'Bavaria', 'CA1', 'MX', 'Carolina', 'constructor'])(
    'of nowhere in the United States and Canada is none: %s',
    (written) => {
      expect(toStateCode(written)).toBeNull()
    },
  )

  test('says nothing without the number that it gave out', () => {
    expect(toPlate(null, 'TX')).toBeNull()
    expect(toPlate('P1', 'ZZ')).toEqual({ state: null, number: 'P1' })
  })
})
