/** Returns the known name that is closest to a mistyped word. */
export function didYouMean(word: string, names: readonly string[]): string | undefined {
  const typed = word.slice(0, 64).toLowerCase()
  const distance = (name: string) =>
    editDistance(typed, name.toLowerCase()) / Math.max(typed.length, name.length)
  return names.toSorted((one, other) => distance(one) - distance(other))[0]
}

/** Returns the Levenshtein distance of two texts. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at)
  for (let at = 0; at < from.length; at++) {
    const next = [at + 1]
    for (let column = 0; column < to.length; column++) {
      const change = row[column]! + (from[at] === to[column] ? 0 : 1)
      next.push(Math.min(change, row[column + 1]! + 1, next[column]! + 1))
    }
    row = next
  }
  return row[to.length]!
}
