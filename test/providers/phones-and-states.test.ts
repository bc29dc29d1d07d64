import { describe, expect, test } from 'vitest'
import { phoneOf } from '../../src/providers/phones.ts'
import { plateOf, stateOf } from '../../src/providers/states.ts'

describe('a phone number that somebody typed', () => {
  test.each([
    ['+1 (214) 555-0142', '+12145550142'],
    ['214.555.0142', '+12145550142'],
    ['1/214/555–0142', '+12145550142'],
    ['+44 7700 900123', '+447700900123'],
    ['0044 7700 900123', '+447700900123'],
    ['+49 (0)171 123 4567', '+491711234567'],
  ])('with a country becomes its digits: %s', (written, told) => {
    expect(phoneOf(written)).toBe(told)
  })

  test.each([
    ['(0171) 123 45678', '017112345678'],
    ['115 550 0142', '1155500142'],
  ])('of no country that is told stays without one: %s', (written, told) => {
    expect(phoneOf(written)).toBe(told)
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
    expect(phoneOf(written)).toBeNull()
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
    expect(stateOf(written)).toBe(told)
  })

  test.each([null, '', 'ZZ', 'Bavaria', 'CA1', 'MX', 'Carolina', 'constructor'])(
    'of nowhere in the United States and Canada is none: %s',
    (written) => {
      expect(stateOf(written)).toBeNull()
    },
  )

  test('says nothing without the number that it gave out', () => {
    expect(plateOf(null, 'TX')).toBeNull()
    expect(plateOf('P1', 'ZZ')).toEqual({ state: null, number: 'P1' })
  })
})
