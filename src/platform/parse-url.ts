/**
 * The URL that a text is, or null. `URL.canParse` of Node 20 must not stand in for it: after some thousand calls it is
 * compiled, and then refuses every text with a letter such as `ü`.
 */
export function parseUrl(text: string, base?: string): URL | null {
  try {
    return new URL(text, base)
  } catch {
    return null
  }
}
