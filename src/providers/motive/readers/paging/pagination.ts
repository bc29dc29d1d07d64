/** Maximum page size that Motive permits. */
export const MAX_PAGE_SIZE = 100

/** Page number and size. Together they define the offset of the page. */
export interface NumberedPage {
  readonly page_no: number
  readonly per_page: number
}

export const startOf = ({ page_no, per_page }: NumberedPage): number => (page_no - 1) * per_page

const endOf = (page: NumberedPage): number => page.page_no * page.per_page

/** Smallest page size with which a page can repeat the last item and continue after it. */
export const MIN_PAGE_SIZE = 2

/**
 * Returns the page that continues after `read` items. It repeats the last item, so that a change of the list is
 * noticed. Pages of one size never overlap, so this page may have another size than the one before. Of all pages that
 * start at or before the last item, it reaches farthest. `maxSize` is the maximum page size of the endpoint.
 */
export function nextPage(read: number, maxSize = MAX_PAGE_SIZE): NumberedPage {
  if (read < maxSize) return { page_no: 1, per_page: maxSize }
  const last = read - 1
  const first = Math.ceil(last / maxSize) + 1
  let best = pageTo(last, first)
  for (let pageNo = first + 1; pageNo < 2 * first + 2; pageNo++) {
    const candidate = pageTo(last, pageNo)
    if (endOf(candidate) > endOf(best)) best = candidate
  }
  return best
}

/** Largest page with this number that starts at or before an item. */
const pageTo = (item: number, pageNo: number): NumberedPage => ({
  page_no: pageNo,
  per_page: Math.floor(item / (pageNo - 1)),
})
