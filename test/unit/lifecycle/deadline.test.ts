import { once } from 'node:events'
import { expect, test } from 'vitest'
import { deadlineSignal } from '../../../src/platform/lifecycle/deadline.ts'
import { collectGarbage } from '../../support/runner/collect-garbage.ts'

const caller = new AbortController()

test('a time limit that is combined with another signal survives the garbage collector', async () => {
  const limits = Array.from({ length: 20 }, () => AbortSignal.any([caller.signal, deadlineSignal(200)]))
  const aborted = Promise.all(limits.map((limit) => once(limit, 'abort')))
  await collectGarbage()
  await aborted
  expect(limits.map(({ reason }) => (reason as Error).name)).toEqual(limits.map(() => 'TimeoutError'))
})
