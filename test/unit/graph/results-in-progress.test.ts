import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { ResultsInProgress } from '../../../src/gateway/load/results-in-progress.ts'

/** Results that end when the test ends them. */
function heldResults() {
  const results = new ResultsInProgress()
  const begun: string[] = []
  const open = new Map<string, { end: () => void; fail: (error: Error) => void }>()
  return {
    begun,
    open,
    begin: (name: string, cost: number) =>
      results.run(cost, () => {
        begun.push(name)
        return new Promise<void>((end, fail) => open.set(name, { end, fail }))
      }),
  }
}

test('results begin in order while those in progress cost 10,000 at most', async () => {
  const { begin, begun, open } = heldResults()
  const results = [begin('a', 6_000.5), begin('b', 3_000.4), begin('c', 2_000), begin('d', 100)]
  await nextTurn()
  expect(begun).toEqual(['a', 'b'])
  open.get('b')!.end()
  await results[1]
  await nextTurn()
  expect(begun).toEqual(['a', 'b', 'c', 'd'])
})

test('a small result counts 100', async () => {
  const { begin, begun } = heldResults()
  for (let at = 0; at < 200; at++) void begin(String(at), 0.1)
  await nextTurn()
  expect(begun).toHaveLength(100)
})

test('a result above the limit begins alone, after others of any cost', async () => {
  const { begin, begun, open } = heldResults()
  const small = [begin('a', 0.1), begin('b', 200.7)]
  void begin('large', 20_000)
  await nextTurn()
  expect(begun).toEqual(['a', 'b'])
  for (const { end } of open.values()) end()
  await Promise.all(small)
  await nextTurn()
  expect(begun).toEqual(['a', 'b', 'large'])
})

test('a result that fails makes room for the next one', async () => {
  const { begin, begun, open } = heldResults()
  const failing = begin('failing', 10_000)
  void begin('next', 10_000)
  await nextTurn()
  open.get('failing')!.fail(new Error('no result'))
  await expect(failing).rejects.toThrow('no result')
  await nextTurn()
  expect(begun).toEqual(['failing', 'next'])
})
