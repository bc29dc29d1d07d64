import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { validate } from '../../../src/providers/mapping/validate.ts'
import { normalizeRecord } from '../../../src/sync/ingest/normalize-record.ts'

const shape = z.looseObject({
  name: z.string(),
  groups: z.array(z.object({ id: z.string() })).optional(),
  days: z.array(z.object({ hours: z.array(z.number()) })).optional(),
})

const normalized = (record: unknown) =>
  normalizeRecord({ model: 'Group', reader: { normalize: (raw) => validate(shape, raw) }, asOf: 0 }, record)

describe('a record with unreadable list items', () => {
  test.each([
    [{ groups: [null, { id: 'a' }, 5, { id: 7 }] }, { groups: [{ id: 'a' }] }, ['groups']],
    [
      { days: [{ hours: [1, 'x', 2] }, { hours: [3] }] },
      { days: [{ hours: [1, 2] }, { hours: [3] }] },
      ['hours'],
    ],
    [{ days: [null], groups: ['x'] }, { days: [], groups: [] }, ['groups', 'days']],
  ])('is kept without them: %j', (given, kept, invalidFields) => {
    expect(normalized({ name: 'A', ...given })).toEqual({ normalized: { name: 'A', ...kept }, invalidFields })
  })

  test.each([
    [{ name: 5, groups: [null] }, 'name: Invalid input'],
    [{ name: 'A', groups: null }, 'groups: Invalid input'],
    [null, 'Invalid input'],
    [[{ name: 'A' }], 'Invalid input'],
  ])('is unreadable if more than them is: %j', (given, message) => {
    expect(() => normalized(given)).toThrow(message)
  })

  test('is not changed itself', () => {
    const record = { name: 'A', groups: [null, { id: 'a' }] }
    normalized(record)
    expect(record).toEqual({ name: 'A', groups: [null, { id: 'a' }] })
  })
})
