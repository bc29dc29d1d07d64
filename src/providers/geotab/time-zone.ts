/** Canonical name of a time zone; UTC if the name is missing or unknown to Node. */
export function zoneOf(name: string | null): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name ?? 'UTC' }).resolvedOptions().timeZone
  } catch {
    return 'UTC'
  }
}
