import { expect, test } from 'vitest'
import { progressIn } from '../../../src/sync/pipeline/progress.ts'

const MODELS = 14

test('a model of four hundred pages advances the progress steadily, never beyond its share', () => {
  const onPage = progressIn(MODELS, 2)
  const percents = Array.from({ length: 400 }, onPage)
  const [from, to] = [(100 * 2) / MODELS, (100 * 3) / MODELS]
  expect(Math.min(...percents)).toBeGreaterThan(from)
  expect(Math.max(...percents)).toBeLessThan(to)
  for (let page = 0; page + 100 < percents.length; page += 100)
    expect(percents[page + 100]).toBeGreaterThan(percents[page] ?? Infinity)
})

test('a worker that takes over a sync continues from its progress', () => {
  const reached = progressIn(MODELS, 2)
  const before = Array.from({ length: 30 }, reached).at(-1)
  expect(progressIn(MODELS, 2, before)()).toBeCloseTo(reached(), 0)
  // The next model starts at its own share.
  expect(progressIn(MODELS, 3, before)()).toBe(progressIn(MODELS, 3)())
})

test('the next model starts after the share of the previous model', () => {
  const last = Array.from({ length: 10_000 }, progressIn(MODELS, 2)).at(-1) ?? Infinity
  expect(progressIn(MODELS, 3)()).toBeGreaterThan(last)
})
