/**
 * Parses a URL; null if it is invalid. Do not use `URL.canParse` of Node 20 instead. It is compiled after
 * some thousand calls, and then rejects every text with a letter such as `ü`.
 */
export function parseUrl(text: string, base?: string): URL | null {
  try {
    return new URL(text, base)
  } catch {
    return null
  }
}
