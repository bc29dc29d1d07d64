/** Parses a URL; null if it is invalid. `URL.canParse` of Node 20 refuses `ü` in optimized code. */
export function parseUrl(text: string, base?: string): URL | null {
  try {
    return new URL(text, base)
  } catch {
    return null
  }
}
