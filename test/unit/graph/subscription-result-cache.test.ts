import { expect, test } from 'vitest'
import { SubscriptionResultCache } from '../../../src/gateway/subscription-result-cache.ts'

/** Counts the computed results. */
function countedResults() {
  let computed = 0
  return { compute: () => Promise.resolve(`result ${++computed}`), computed: () => computed }
}

test('a result is computed once for all members, and is not kept after the last one has it', async () => {
  const cache = new SubscriptionResultCache()
  const members = ['one', 'two', 'three'].map(() => cache.join('key'))
  const { compute, computed } = countedResults()
  const event = {}
  const results = await Promise.all(members.map((member) => member.resultFor(event, compute)))
  expect(results).toEqual(['result 1', 'result 1', 'result 1'])
  await members[0]!.resultFor(event, compute)
  expect(computed()).toBe(2)
})

test('the result of a single member is not kept', async () => {
  const member = new SubscriptionResultCache().join('key')
  const { compute, computed } = countedResults()
  const event = {}
  await member.resultFor(event, compute)
  await member.resultFor(event, compute)
  expect(computed()).toBe(2)
})
