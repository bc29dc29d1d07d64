/**
 * Parses a URL; null if it is invalid. It does not use `URL.canParse`: once optimized, that of Node 20 refuses
 * URLs with characters such as `ü`.
 */
export function parseUrl(text: string, base?: string): URL | null {
  try {
    return new URL(text, base)
  } catch {
    return null
  }
}
