import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { adapters, readersOf } from '../../support/providers/adapters.ts'

/**
 * What a provider sends and what we make of it, as `golden/<provider>/<Model>.json`: a list of pairs of `theirs` and
 * `ours`; `ours` is null where the record cannot be read. Whoever adds a provider adds pairs, not tests.
 */
interface Pair {
  readonly name: string
  readonly theirs: unknown
  readonly ours: Readonly<Record<string, unknown>> | null
}

const GOLDEN = join(import.meta.dirname, '../../support/providers/golden')

const pairsOf = (provider: string, model: string): Pair[] =>
  JSON.parse(readFileSync(join(GOLDEN, provider, `${model}.json`), 'utf8')) as Pair[]

for (const provider of readdirSync(GOLDEN))
  describe(`golden pairs of ${provider}`, () => {
    const readers = readersOf(provider)
    const models = readdirSync(join(GOLDEN, provider)).map((file) => file.replace(/\.json$/, ''))

    test('show a record of every model that is read', () => {
      const shown = models.filter((model) => pairsOf(provider, model).some(({ ours }) => ours !== null))
      expect(shown.toSorted()).toEqual(Object.keys(readers).toSorted())
    })

    for (const model of models) {
      const pairs = pairsOf(provider, model)
      test.each(pairs)(`${model}: $name`, ({ theirs, ours }) => {
        const reader = readers[model]
        if (!reader) throw new Error(`${provider} has no reader of ${model}`)
        if (ours === null) expect(() => reader.normalize(theirs)).toThrow()
        else expect(told(reader.normalize(theirs))).toEqual(ours)
      })
    }
  })

/** What is simulated is held by tests of its own. */
test('there are golden pairs of every provider', () => {
  const known = Object.keys(adapters).filter((code) => code !== 'sandbox')
  expect(readdirSync(GOLDEN).toSorted()).toEqual(known.toSorted())
})

/** Instants as RFC 3339, which people can compare. */
const told = (draft: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(draft).map(([name, value]) => [
      name,
      TIMES.test(name) && typeof value === 'number' ? new Date(value).toISOString() : value,
    ]),
  )

const TIMES = /(At|^timestamp)$/
