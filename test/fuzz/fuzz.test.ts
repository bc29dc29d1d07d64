import { expect, test } from 'vitest'
import { fuzzed } from './proof.ts'

/** The short form of `npm run prove -- fuzz`; FUZZ_SEED and FUZZ_RUNS choose another. */
const seed = Number(process.env['FUZZ_SEED'] ?? 1)
const runs = Number(process.env['FUZZ_RUNS'] ?? 200)

test('nothing that is nearly a request brings a 5xx, a hang or a write', { timeout: 600_000 }, async () => {
  expect(await fuzzed('sqlite', { runs, seed })).toEqual([])
})
