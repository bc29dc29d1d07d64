import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { derivedId, isId, kindOf, newId, pointId } from '../../src/domain/ids.ts'
import { redactSecretsByForm } from '../../src/platform/logging/log.ts'
import { toInstant, toIso } from '../../src/domain/time.ts'
import {
  hoursToMilliseconds,
  milesToKilometers,
  millilitersToLiters,
  rounded,
  secondsToMilliseconds,
  usGallonsToLiters,
} from '../../src/domain/units.ts'

describe('times', () => {
  test('are formatted as Date formats them', () => {
    fc.assert(
      fc.property(fc.date({ noInvalidDate: true }), (date) => {
        expect(toIso(date.getTime())).toBe(date.toISOString())
      }),
      { numRuns: 2000 },
    )
  })

  test('survive formatting and parsing', () => {
    fc.assert(
      fc.property(
        fc.date({ noInvalidDate: true, min: new Date('0001-01-01'), max: new Date('9999-12-31') }),
        (date) => {
          expect(toInstant(toIso(date.getTime()))).toBe(date.getTime())
        },
      ),
    )
  })

  test.each([
    '2026-01-31',
    '2026-02-30T00:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T00:00:00',
    '2026-01-01T00:00:60Z',
    '0000-01-01T00:00:00Z',
    '1700000000',
    '',
  ])('refuse %s', (text) => expect(toInstant(text)).toBeNull())

  test('accept any UTC offset', () => {
    expect(toInstant('2026-01-31T12:00:00+02:00')).toBe(Date.UTC(2026, 0, 31, 10))
  })
})

describe('ids', () => {
  const connection = newId('connection')

  test('are ULIDs with a prefix that names their kind', () => {
    for (const id of [
      connection,
      derivedId('vehicle', connection, 'a'),
      pointId('vehicleLocation', 'a', Date.now()),
    ])
      expect(id).toMatch(/^[a-z_]+_[0-7][0-9A-HJKMNP-TV-Z]{25}$/)
    expect(kindOf(newId('safetyEvent'))).toBe('safetyEvent')
    expect(kindOf(pointId('vehicleLocation', 'a', 1))).toBe('vehicleLocation')
  })

  test('are stable for a record, and differ between records, kinds and connections', () => {
    const id = derivedId('vehicle', connection, '17')
    expect(derivedId('vehicle', connection, '17')).toBe(id)
    const others = [
      derivedId('vehicle', connection, '18'),
      derivedId('vehicle', newId('connection'), '17'),
      derivedId('driver', connection, '17'),
    ]
    expect(new Set([id, ...others].map((other) => other.slice(-26))).size).toBe(4)
  })

  test.each([
    '',
    'vcl',
    'vcl_',
    'vcl_01',
    'xyz_01J8ZQ4N5R8X2V6T3W1Y7K9M0P',
    'vcl_01j8zq4n5r8x2v6t3w1y7k9m0p',
    'vcl_81J8ZQ4N5R8X2V6T3W1Y7K9M0P',
  ])('refuse %j', (text) => {
    expect(kindOf(text)).toBeNull()
    expect(isId('vehicle', text)).toBe(false)
  })
})

describe('units', () => {
  test('are converted by their definitions', () => {
    expect(rounded(milesToKilometers(100), 4)).toBe(160.9344)
    expect(rounded(usGallonsToLiters(100), 3)).toBe(378.541)
    expect(secondsToMilliseconds(1.2345)).toBe(1235)
    expect(hoursToMilliseconds(2.5)).toBe(9_000_000)
    expect(millilitersToLiters(250)).toBe(0.25)
  })

  test('are rounded half away from zero', () => {
    expect([0.125, -0.125, 0.001, -0.001].map((value) => rounded(value, 2))).toEqual([0.13, -0.13, 0, 0])
  })
})

describe('the log', () => {
  test('redacts keys and tokens anywhere in a line', () => {
    const seeded = ['sk_sandbox_planted1', 'pk_prod_planted2', 'con_tkn_planted3', 'pub_tkn_planted4']
    const line = redactSecretsByForm(JSON.stringify({ err: { message: `no ${seeded.join(' and ')}` } }))
    for (const secret of seeded) expect(line).not.toContain(secret)
    expect(line).not.toMatch(/planted/)
  })
})
