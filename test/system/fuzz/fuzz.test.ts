import { expect, test } from 'vitest'
import { sizes } from '../../support/deployment-sizes.ts'
import { fuzzed } from '../../fuzz/proof.ts'

/**
 * Short form of `npm run prove -- fuzz`; FUZZ_SEED and FUZZ_RUNS override the seed and the number of
 * requests.
 */
const seed = Number(process.env['FUZZ_SEED'] ?? 1)
const runs = Number(process.env['FUZZ_RUNS'] ?? 120)

test.concurrent.each(sizes)(
  'no nearly valid request causes a 5xx, a hang or a write: %s',
  { timeout: 600_000 },
  async (size) => {
    expect(await fuzzed(size, { runs, seed })).toEqual([])
  },
)
