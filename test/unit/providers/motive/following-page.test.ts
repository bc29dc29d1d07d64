import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  nextPage,
  MAX_PAGE_SIZE,
  startOf,
} from '../../../../src/providers/motive/readers/paging/pagination.ts'

test('the next page overlaps the records already read, and extends beyond them', () => {
  fc.assert(
    fc.property(fc.integer({ min: MAX_PAGE_SIZE, max: 200_000 }), (read) => {
      const page = nextPage(read)
      expect(page.per_page).toBeLessThanOrEqual(MAX_PAGE_SIZE)
      expect(startOf(page)).toBeLessThan(read)
      expect(startOf(page) + page.per_page).toBeGreaterThan(read)
    }),
  )
})

test.each([
  [100, 1],
  [1_000, 12],
  [10_000, 115],
  [50_000, 575],
])('a list of %i takes at most %i pages', (total, maxPages) => {
  let [read, pages] = [0, 0]
  while (read < total) {
    const page = nextPage(read)
    read = startOf(page) + page.per_page
    pages++
  }
  expect(pages).toBeLessThanOrEqual(maxPages)
})
