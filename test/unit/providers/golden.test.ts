import { describe, expect, test } from 'vitest'
import type { RawRetainedModel } from '../../../src/domain/record-models.ts'
import { normalizeRecord } from '../../../src/sync/ingest/normalize-record.ts'
import { adapters, readersOf } from '../../support/providers/adapters.ts'
import { goldenModels, goldenPairs, goldenProviders } from '../../support/providers/golden-pairs.ts'

for (const provider of goldenProviders())
  describe(`golden pairs of ${provider}`, () => {
    const readers = readersOf(provider)
    const models = goldenModels(provider)

    test('cover every model with a reader', () => {
      const covered = models.filter((model) =>
        goldenPairs(provider, model).some(({ normalized }) => normalized !== null),
      )
      expect(covered.toSorted()).toEqual(Object.keys(readers).toSorted())
    })

    for (const model of models) {
      const pairs = goldenPairs(provider, model)
      test.each(pairs)(`${model}: $name`, ({ raw, normalized }) => {
        const reader = readers[model]
        if (!reader) throw new Error(`${provider} has no reader of ${model}`)
        const stored = () =>
          normalizeRecord({ model: model as RawRetainedModel, reader, asOf: Infinity }, raw).normalized
        if (normalized === null) expect(stored).toThrow()
        else expect(withIsoTimes(stored())).toEqual(normalized)
      })
    }
  })

/** The mapping of the sandbox provider has separate tests. */
test('every provider except the sandbox has golden pairs', () => {
  const known = Object.keys(adapters).filter((code) => code !== 'sandbox')
  expect(goldenProviders().toSorted()).toEqual(known.toSorted())
})

/** Formats instants as RFC 3339, so that people can compare them. */
const withIsoTimes = (record: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(record).map(([name, value]) => [
      name,
      TIMES.test(name) && typeof value === 'number' ? new Date(value).toISOString() : value,
    ]),
  )

const TIMES = /(At|^timestamp)$/
