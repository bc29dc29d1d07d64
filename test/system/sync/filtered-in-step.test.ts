import { describe, expect, test } from 'vitest'
import { stores } from '../../support/database/stores.ts'
import { FilteredMonth } from '../../support/sync/filtered-month.ts'

const DAYS = Number(process.env['IN_STEP_DAYS'] ?? 30)
const SEED = Number(process.env['IN_STEP_SEED'] ?? 1)
const STEPS = 2 * DAYS
const STEPS_BETWEEN_CHECKS = 4

describe.each(stores)('a reader in step by `modifiedAfter` and `deleted` on %s', (store) => {
  test(`has what the filters show of the provider, during ${DAYS} days of changes with seed ${SEED}`, async () => {
    await using month = await FilteredMonth.start(store, SEED)
    for (let step = 0; step <= STEPS; step += 1) {
      await month.step(step)
      if (step % STEPS_BETWEEN_CHECKS > 0 && step < STEPS) continue
      for (const { list, copied, served, shown, provided } of await month.comparisons()) {
        expect([step, list, shown]).toEqual([step, list, provided])
        expect([step, list, copied]).toEqual([step, list, served])
      }
    }
    for (const count of Object.values(month.counts())) expect(count).toBeGreaterThan(DAYS / 10)
  })
})
