/**
 * Parses a URL. Returns null if it is invalid. `URL.canParse` is no replacement: Node 20 optimizes it after some
 * thousand calls, and from then on it rejects every text with a letter such as `ü`.
 */
export function parseUrl(text: string, base?: string): URL | null {
  try {
    return new URL(text, base)
  } catch {
    return null
  }
}

/** Whether a host name or address is that of this machine. An IPv6 address may have brackets, as in a URL. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' ||
  host.endsWith('.localhost') ||
  /^127(\.\d+){3}$/.test(host) ||
  /^\[?::1\]?$/.test(host)

/** Whether a Host header names the host and the port of a URL, with or without the default port. */
export function matchesHost(host: string | undefined, url: string | URL): boolean {
  const expected = parseUrl(String(url))
  if (!expected?.host || host === undefined || /[/\\?#@]/.test(host)) return false
  return parseUrl(`${expected.protocol}//${host}`)?.host === expected.host
}
