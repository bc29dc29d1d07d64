import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { optionalBoolean } from '../../../src/providers/mapping/boolean.ts'
import { decimal, optionalNumber, optionalYear } from '../../../src/providers/mapping/numbers.ts'
import { parseParts, readParts } from '../../../src/providers/mapping/readable-parts.ts'
import { readableId } from '../../../src/providers/mapping/source-id.ts'
import { optionalText } from '../../../src/providers/mapping/text.ts'
import { InvalidData, validate } from '../../../src/providers/mapping/validate.ts'

/** Beyond 2^53: JSON parsing changes its last digit. */
const UNSAFE = JSON.parse('12345678901234567') as number

const place = z.looseObject({ latitude: decimal, longitude: decimal, heading: optionalNumber })
const shape = z.looseObject({
  id: readableId,
  name: optionalText,
  isActive: optionalBoolean,
  place: place.nullish(),
  owner: z.looseObject({ id: readableId }),
  tags: z.array(z.looseObject({ id: readableId, note: optionalText })).nullish(),
})
const valid = {
  id: 'a',
  name: 'Truck',
  isActive: true,
  place: { latitude: 1, longitude: 2, heading: 3 },
  owner: { id: 'b' },
  tags: [
    { id: 'c', note: 'd' },
    { id: 'e', note: 'f' },
  ],
}
const read = (record: unknown) => readParts(record, (current) => validate(shape, current))

describe('a record is read without', () => {
  test.each<[string, object, object, string[]]>([
    ['nothing, if all members are readable', {}, {}, []],
    ['an unreadable text', { name: {} }, { name: null }, ['name']],
    ['a number with wrong digits in the place of a text', { name: UNSAFE }, { name: null }, ['name']],
    [
      'two unreadable members',
      { name: [], isActive: 'x' },
      { name: null, isActive: null },
      ['name', 'isActive'],
    ],
    [
      'an unreadable member of an object',
      { place: { ...valid.place, heading: 'north' } },
      { place: { ...valid.place, heading: null } },
      ['heading'],
    ],
    [
      'an object whose required member is unreadable',
      { place: { ...valid.place, latitude: 'north', heading: [] } },
      { place: null },
      ['place'],
    ],
    ['an object that lacks a required member', { place: { latitude: 1 } }, { place: null }, ['place']],
    [
      'an unreadable member of an item',
      { tags: [{ id: 'c', note: {} }, { id: 'e' }] },
      {
        tags: [
          { id: 'c', note: null },
          { id: 'e', note: null },
        ],
      },
      ['note'],
    ],
    [
      'items without a readable id',
      { tags: [5, { id: [] }, { id: 'e', note: 'f' }, null] },
      { tags: [{ id: 'e', note: 'f' }] },
      ['tags'],
    ],
    ['a list that is no list', { tags: 'none' }, { tags: null }, ['tags']],
  ])('%s', (_, changes, expected, unreadable) => {
    expect(read({ ...valid, ...changes })).toEqual({ result: { ...valid, ...expected }, unreadable })
  })

  test.each<[string, object]>([
    ['its id', { id: {} }],
    ['an id with wrong digits', { id: UNSAFE }],
    ['its owner', { owner: null }],
    ['the id of its owner', { owner: { id: [] } }],
  ])('%s: it is refused', (_, changes) => {
    expect(() => read({ ...valid, ...changes })).toThrow()
    expect(parseParts(shape, { ...valid, ...changes })).toBeNull()
  })

  test('a part that it does not have: the error of the read is thrown', () => {
    const error = new InvalidData('of another record', [['tags', 7, 'id']])
    const refuse = () => {
      throw error
    }
    expect(() => readParts(valid, refuse)).toThrow(error)
  })
})

describe('a member is read from', () => {
  test.each<[string, z.ZodType, unknown, unknown]>([
    ['a number as a text', optionalNumber, ' 12.5 ', 12.5],
    ['a number with an exponent', optionalNumber, '-1.5e-7', -1.5e-7],
    ['an empty text, as no number', optionalNumber, ' ', null],
    ['a boolean as a text', optionalBoolean, 'False', false],
    ['an empty text, as no boolean', optionalBoolean, '', null],
    ['a text as a number', optionalText, 2019, '2019'],
    ['a year as a text', optionalYear, '2019', 2019],
    ['a year of 0, as no year', optionalYear, 0, null],
    ['an id as a number', readableId, 2 ** 53 - 1, '9007199254740991'],
    ['an id as a text of many digits', readableId, '12345678901234567', '12345678901234567'],
  ])('%s', (_, type, value, expected) => {
    expect(type.parse(value)).toBe(expected)
  })

  test.each<[string, z.ZodType, unknown]>([
    ['a text that is no number', optionalNumber, '12,5'],
    ['a number with wrong digits', optionalNumber, UNSAFE],
    ['a text of a number with more digits than a number has', optionalNumber, '12345678901234567'],
    ['a word that is no boolean', optionalBoolean, 'maybe'],
    ['a year of two digits', optionalYear, 19],
    ['an id with wrong digits', readableId, UNSAFE],
    ['an id with a fraction', readableId, 1.5],
    ['an empty id', readableId, ''],
  ])('not from %s', (_, type, value) => {
    expect(type.safeParse(value).success).toBe(false)
  })
})
