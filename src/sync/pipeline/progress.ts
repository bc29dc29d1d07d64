/**
 * Number of pages that count as half of the share of a model. The total is unknown, so each further page
 * advances the progress a little less.
 */
const PAGES_OF_HALF = 20
const MAX_SHARE = 0.99

/**
 * Creates the page counter of one of a sync's models, starting from `reached` percent. Each call counts a
 * page and returns the progress of the sync in percent.
 */
export function progressIn(models: number, index: number, reached = 0): () => number {
  const share = Math.min(Math.max((models * reached) / 100 - index, 0), MAX_SHARE)
  let pagesRead = (PAGES_OF_HALF * share) / (1 - share)
  return () => {
    pagesRead++
    return rounded((100 * (index + pagesRead / (pagesRead + PAGES_OF_HALF))) / models)
  }
}

const rounded = (percent: number) => Math.round(percent * 10) / 10
