/** Time in a zone, such as 14:05:09. */
export const formatTime = (instant: string | number, zone: string): string =>
  formatter(zone, { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' }).format(
    new Date(instant),
  )

/** Day and time in a zone, such as 30 Nov 2026, 14:05. */
export const formatDateTime = (instant: string | number, zone: string): string =>
  formatter(zone, {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(new Date(instant))

/** Day in a zone, such as Mon, 30 Nov 2026. */
export const formatDay = (instant: string | number, zone: string): string =>
  formatter(zone, { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' }).format(
    new Date(instant),
  )

const formatters = new Map<string, Intl.DateTimeFormat>()

function formatter(zone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${zone} ${Object.keys(options).join()}`
  const known = formatters.get(key)
  if (known) return known
  const made = new Intl.DateTimeFormat('en-GB', { ...options, timeZone: zone })
  formatters.set(key, made)
  return made
}

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** How long ago something was, such as `12 s ago`, `5 min ago`, `3 h ago` or `4 days ago`. */
export function formatAge(instant: string | number, now: number): string {
  const ms = Math.max(0, now - new Date(instant).getTime())
  if (ms < MINUTE) return `${Math.floor(ms / SECOND)} s ago`
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min ago`
  if (ms < 2 * DAY) return `${Math.floor(ms / HOUR)} h ago`
  return `${Math.floor(ms / DAY)} days ago`
}

/** A duration, such as `45 s`, `12 min` or `3 h 05 min`. */
export function formatDuration(ms: number): string {
  if (ms < MINUTE) return `${Math.round(ms / SECOND)} s`
  const minutes = Math.round(ms / MINUTE)
  if (minutes < 60) return `${minutes} min`
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`
}
