import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Depth } from '../../../src/domain/models/define-model.ts'
import { models } from '../../../src/domain/models/models.ts'

const docs = (page: string) => readFileSync(join(import.meta.dirname, '../../../docs', page), 'utf8')

const units: readonly (readonly [number, string])[] = [
  [86_400_000, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
]

/** Returns a duration in words, such as 8 days. */
function inWords(ms: number): string {
  const [unitMs, unit] = units.find(([size]) => ms % size === 0) ?? [1, 'millisecond']
  return `${ms / unitMs} ${unit}${ms === unitMs ? '' : 's'}`
}

const described = ({ ms, everyMs = 0 }: Depth): string =>
  everyMs === 86_400_000 ? `${inWords(ms)}, once a day` : `${inWords(ms)}, every ${inWords(everyMs)}`

/** Rows of the table of lookbacks by record type: the cells after the first one. */
function documentedRows(): ReadonlyMap<string, readonly string[]> {
  const [, table = ''] = docs('providers.md').split('| Each sync reads again |')
  const rows = table.split('\n\n')[0]?.split('\n').slice(2) ?? []
  return new Map(
    rows.flatMap((row) => {
      const [names = '', ...cells] = row
        .split('|')
        .map((cell) => cell.trim())
        .slice(1, -1)
      return [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => [name, cells] as const)
    }),
  )
}

test('the documentation states how far back each sync reads', () => {
  const expected = models.flatMap(({ name, lookback }) => {
    if (!lookback) return []
    const [every = { ms: 0 }, ...others] = lookback
    return [[name, [inWords(every.ms), others.map(described).join('; ')]] as const]
  })
  expect(documentedRows()).toEqual(new Map(expected))
})
