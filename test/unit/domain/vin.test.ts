import { expect, test } from 'vitest'
import { isMistypedVin, vinIn } from '../../../src/domain/vin.ts'

test.each([
  ['1HGCM82633A004352', 'check digit 3'],
  ['1M8GDM9AXKP042788', 'check digit X'],
  ['11111111111111111', 'all ones'],
  ['5GZCZ43D13S812715', 'first character 5'],
  ['WDB9634031L000000', 'from Europe, where the ninth character is free'],
  ['1M8GDM9A', 'the serial number of a trailer'],
  ['', 'nothing'],
])('%s is accepted: %s', (vin) => {
  expect(isMistypedVin(vin)).toBe(false)
})

test.each([
  ['1HGCM82633A004325', 'two digits are exchanged'],
  ['1HGCM82633A004353', 'a digit is wrong'],
  ['1M8GDM9A1KP042788', 'the check digit is wrong'],
  ['WDB9634O31L000000', 'the letter O stands for a zero'],
  ['IHGCM82633A004352', 'the letter I stands for a one'],
  ['1HGCM82633Q004352', 'the letter Q is never used'],
])('%s is mistyped: %s', (vin) => {
  expect(isMistypedVin(vin)).toBe(true)
})

test.each([
  ['1HGCM82633A004352', '1HGCM82633A004352'],
  [' 1hg-cm826 33A004352 ', '1HGCM82633A004352'],
  ['1M8GDM9A', null],
  ['1HGCM82633A0O4352', null],
  ['1HGCM82633A004352 1', null],
  ['N/A', null],
  ['', null],
])('in "%s" the VIN is %s', (text, vin) => {
  expect(vinIn(text)).toBe(vin)
})
