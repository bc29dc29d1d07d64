/** The URL that a text is, or null. `URL.canParse` of Node 20 refuses `ü` once it is compiled. */
export function parseUrl(text: string, base?: string): URL | null {
  try {
    return new URL(text, base)
  } catch {
    return null
  }
}
