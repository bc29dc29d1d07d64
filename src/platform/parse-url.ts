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

/** Whether a host name or address is this machine. An IPv6 address may have brackets, as in a URL. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' ||
  host.endsWith('.localhost') ||
  /^127(\.\d+){3}$/.test(host) ||
  /^\[?::1\]?$/.test(host)
