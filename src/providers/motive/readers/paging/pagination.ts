/** The most items that a page may have. */
export const MAX_PAGE_SIZE = 100

/** A page by its number and size, from which Motive counts where it begins. */
export interface NumberedPage {
  readonly page_no: number
  readonly per_page: number
}

export const startOf = ({ page_no, per_page }: NumberedPage): number => (page_no - 1) * per_page

const endOf = (page: NumberedPage): number => page.page_no * page.per_page

/**
 * The page with which reading goes on after so many items: it begins with the last of them, or somewhat before, so that
 * a list that has moved up meanwhile is noticed. Pages of one size meet and do not overlap, so each is of a size of its
 * own: of all that overlap it is the one that reaches farthest.
 */
export function nextPage(read: number): NumberedPage {
  if (read < MAX_PAGE_SIZE) return { page_no: 1, per_page: MAX_PAGE_SIZE }
  const last = read - 1
  const first = Math.ceil(last / MAX_PAGE_SIZE) + 1
  let best = pageTo(last, first)
  for (let pageNo = first + 1; pageNo < 2 * first + 2; pageNo++) {
    const other = pageTo(last, pageNo)
    if (endOf(other) > endOf(best)) best = other
  }
  return best
}

/** The largest page of this number that does not begin after an item. */
const pageTo = (item: number, pageNo: number): NumberedPage => ({
  page_no: pageNo,
  per_page: Math.floor(item / (pageNo - 1)),
})
