import { expect, test } from 'vitest'
import { createLoopGuard } from '../../../src/sync/ingest/pagination-loop-guard.ts'

const readPages = (cursors: readonly number[]) => {
  const guard = createLoopGuard()
  for (const after of cursors) guard({ after })
}

const upTo = (length: number) => Array.from({ length }, (_, index) => index)

test('a list continues as long as its cursors are new', () => {
  expect(() => readPages(upTo(1000))).not.toThrow()
})

test.each([1, 2, 3, 7, 100])('a loop of %i pages is detected wherever it starts', (length) => {
  for (const before of [0, 1, 5, 60]) {
    const loop = upTo(length).map((cursor) => before + cursor)
    const rounds = upTo(Math.ceil((4 * (before + length)) / length)).flatMap(() => loop)
    expect(() => readPages([...upTo(before), ...rounds])).toThrow(
      'the provider returned the position of an earlier page',
    )
  }
})
