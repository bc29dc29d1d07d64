import { expect, test } from 'vitest'
import { sizes } from '../../support/deployment-sizes.ts'
import { fuzzed } from '../../fuzz/proof.ts'

/** The short form of `npm run prove -- fuzz`; FUZZ_SEED and FUZZ_RUNS choose another. */
const seed = Number(process.env['FUZZ_SEED'] ?? 1)
const runs = Number(process.env['FUZZ_RUNS'] ?? 120)

test.concurrent.each(sizes)(
  'nothing that is nearly a request brings a 5xx, a hang or a write: %s',
  { timeout: 600_000 },
  async (size) => {
    expect(await fuzzed(size, { runs, seed })).toEqual([])
  },
)
