/**
 * Returns the segments of a path, normalized the way lenient servers and gateways read them: the denylist must
 * recognize every spelling. Null if the path cannot be decoded.
 */
export const pathSegments = (path: string): string[] | null =>
  decode(path.split('?', 1)[0] as string)
    ?.split(/[/\\]/)
    .map(pathSegment) ?? null

/**
 * Removes matrix parameters after `;` (RFC 3986, 3.3), a format suffix after a dot, and anything after a NUL,
 * because some servers ignore them.
 */
const pathSegment = (part: string): string =>
  part
    .replace(/^[\s\0.]+/, '')
    .replace(/[;?#.\0].*$/s, '')
    .trimEnd()
    .toLowerCase()

/** Returns the names of query parameters, including nested members; null if the query cannot be decoded. */
export const queryNames = (path: string): string[] | null => {
  const [, query = ''] = path.split(/\?(.*)/s)
  const names = query.split(/[&;]/).map((part) => part.split('=', 1)[0] as string)
  return decode(names.join('&'))?.split(/[&[\].]/) ?? null
}

/** Decodes until nothing changes, because a server may decode more than once. */
function decode(text: string): string | null {
  try {
    for (let last = ''; last !== text;) [last, text] = [text, decodeURIComponent(text)]
    return text
  } catch {
    return null
  }
}
