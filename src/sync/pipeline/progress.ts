/**
 * Number of pages after which half of a model counts as read. The total number is unknown, so each further page
 * advances the progress a little less.
 */
const PAGES_OF_HALF = 20
const MAX_SHARE = 0.99

/**
 * Creates the page counter for the model at `modelIndex` of a sync whose progress is at `reached` percent. Each call
 * counts a page and returns the progress of the sync in percent.
 */
export function progressIn(modelCount: number, modelIndex: number, reached = 0): () => number {
  const share = Math.min(Math.max((modelCount * reached) / 100 - modelIndex, 0), MAX_SHARE)
  let pagesRead = (PAGES_OF_HALF * share) / (1 - share)
  return () => {
    pagesRead++
    return rounded((100 * (modelIndex + pagesRead / (pagesRead + PAGES_OF_HALF))) / modelCount)
  }
}

const rounded = (percent: number) => Math.round(percent * 10) / 10
