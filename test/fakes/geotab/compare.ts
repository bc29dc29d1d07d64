import { expect } from 'vitest'
import type { Fact } from './caller.ts'
import type { Entity } from './formats.ts'

/** Compares the members that the read records have. */
export function compare(
  read: readonly Fact[],
  truth: readonly Fact[],
  keyOf = (fact: Fact) => String(fact['sourceId']),
) {
  const known = new Map(truth.map((fact) => [keyOf(fact), fact]))
  expect(read.map(keyOf).sort()).toEqual([...known.keys()].sort())
  for (const fact of read) {
    const wanted = known.get(keyOf(fact)) as Fact
    for (const [name, value] of Object.entries(fact))
      expect({ [name]: value }).toEqual({ [name]: nearly(wanted[name], value) })
  }
  expect(read.length).toBeGreaterThan(0)
}

/** Numbers may be rounded. */
const nearly = (wanted: unknown, value: unknown): unknown =>
  typeof wanted === 'number' && typeof value === 'number' && Math.abs(wanted - value) < 0.006 ? value : wanted

export const byId = (entities: readonly Entity[]) =>
  new Map(entities.map((entity) => [String(entity['id']), entity]))
