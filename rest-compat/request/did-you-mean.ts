/** Number of characters of a mistyped word that are compared, so that a long word costs little. */
const MAX_COMPARED = 64

/** Share of the characters that may differ. A name beyond it is another word, not a mistyped one. */
const MAX_DIFFERENCE = 0.6

/** Returns the known name that is closest to a mistyped word; undefined if none is close. */
export function didYouMean(word: string, names: readonly string[]): string | undefined {
  const typed = word.slice(0, MAX_COMPARED).toLowerCase()
  const difference = (name: string) =>
    editDistance(typed, name.toLowerCase()) / Math.max(typed.length, name.length)
  const [nearest] = names.toSorted((one, other) => difference(one) - difference(other))
  return nearest !== undefined && difference(nearest) <= MAX_DIFFERENCE ? nearest : undefined
}

/** Returns the Levenshtein distance of two texts. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let index = 0; index < from.length; index++) {
    const next = [index + 1]
    for (let column = 0; column < to.length; column++) {
      const change = row[column]! + (from[index] === to[column] ? 0 : 1)
      next.push(Math.min(change, row[column + 1]! + 1, next[column]! + 1))
    }
    row = next
  }
  return row[to.length]!
}
