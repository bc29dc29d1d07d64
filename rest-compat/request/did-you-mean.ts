/** The name that a mistyped one is most likely to mean. */
export function didYouMean(word: string, names: readonly string[]): string | undefined {
  const asked = word.slice(0, 64).toLowerCase()
  const farness = (name: string) =>
    editDistance(asked, name.toLowerCase()) / Math.max(asked.length, name.length)
  return names.toSorted((one, other) => farness(one) - farness(other))[0]
}

/** Levenshtein's distance: how many letters to add, drop or change. */
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
