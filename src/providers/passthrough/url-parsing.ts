/** The words of a path as whichever server or gateway may come to read them; null where nobody can tell how. */
export const pathSegments = (path: string): string[] | null =>
  unescaped(path.split('?', 1)[0] as string)
    ?.split(/[/\\]/)
    .map(pathSegment) ?? null

/**
 * What begins with ; belongs to a word as its matrix parameters do (RFC 3986, 3.3), what begins with a dot as the
 * format of the answer; some read no further than a NUL.
 */
const pathSegment = (part: string): string =>
  part
    .replace(/^[\s\0.]+/, '')
    .replace(/[;?#.\0].*$/s, '')
    .trimEnd()
    .toLowerCase()

/** The names that a query has, of members of objects too; null where nobody can tell. */
export const queryNames = (path: string): string[] | null => {
  const [, query = ''] = path.split(/\?(.*)/s)
  const names = query.split(/[&;]/).map((part) => part.split('=', 1)[0] as string)
  return unescaped(names.join('&'))?.split(/[&[\].]/) ?? null
}

/** Also what was escaped more than once. */
function unescaped(text: string): string | null {
  try {
    for (let last = ''; last !== text;) [last, text] = [text, decodeURIComponent(text)]
    return text
  } catch {
    return null
  }
}
