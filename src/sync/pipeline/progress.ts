/** How many pages a model has is not known: so many are half of its share, and each moves it on a little less. */
const PAGES_OF_HALF = 20
const LARGEST_SHARE = 0.99

/** Counts the pages of one of a sync's models, on from what was reached; gives the percent of the sync that is read. */
export function progressIn(models: number, index: number, reached = 0): () => number {
  const share = Math.min(Math.max((models * reached) / 100 - index, 0), LARGEST_SHARE)
  let read = (PAGES_OF_HALF * share) / (1 - share)
  return () => {
    read++
    return rounded((100 * (index + read / (read + PAGES_OF_HALF))) / models)
  }
}

const rounded = (percent: number) => Math.round(percent * 10) / 10
