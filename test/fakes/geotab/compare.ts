import { expect } from 'vitest'
import type { RecordFields } from './caller.ts'
import type { Entity } from './formats.ts'

/** Compares records with the expected ones, in the members that the records have. */
export function compare(
  read: readonly RecordFields[],
  truth: readonly RecordFields[],
  keyOf = (fact: RecordFields) => String(fact['sourceId']),
) {
  const known = new Map(truth.map((fact) => [keyOf(fact), fact]))
  expect(read.map(keyOf).sort()).toEqual([...known.keys()].sort())
  for (const fact of read) {
    const expected = known.get(keyOf(fact)) as RecordFields
    for (const [name, value] of Object.entries(fact))
      expect({ [name]: value }).toEqual({ [name]: nearly(expected[name], value) })
  }
  expect(read.length).toBeGreaterThan(0)
}

/** Returns the value itself if it differs from the expected number only by rounding. */
const nearly = (expected: unknown, value: unknown): unknown =>
  typeof expected === 'number' && typeof value === 'number' && Math.abs(expected - value) < 0.006
    ? value
    : expected

export const byId = (entities: readonly Entity[]) =>
  new Map(entities.map((entity) => [String(entity['id']), entity]))
