import { expect, test } from 'vitest'
import { createLoopGuard } from '../../../src/sync/ingest/pagination-loop-guard.ts'

const read = (places: readonly number[]) => {
  const guard = createLoopGuard()
  for (const after of places) guard({ after })
}

const upTo = (length: number) => Array.from({ length }, (_, index) => index)

test('a list goes on for as long as it leads to other places', () => {
  expect(() => read(upTo(1000))).not.toThrow()
})

test.each([1, 2, 3, 7, 100])('a circle of %i pages is found, wherever it begins', (length) => {
  for (const before of [0, 1, 5, 60]) {
    const circle = upTo(length).map((place) => before + place)
    const rounds = upTo(Math.ceil((4 * (before + length)) / length)).flatMap(() => circle)
    expect(() => read([...upTo(before), ...rounds])).toThrow(
      'the provider returned the position of an earlier page',
    )
  }
})
