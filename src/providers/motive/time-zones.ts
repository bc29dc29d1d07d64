import { isTimeZone } from '../../domain/time.ts'

/** IANA names by Rails name, which Motive sends, for the time zones of countries in which Motive is sold. */
const railsNames: Readonly<Record<string, string>> = {
  'Eastern Time (US & Canada)': 'America/New_York',
  'Indiana (East)': 'America/Indiana/Indianapolis',
  'Central Time (US & Canada)': 'America/Chicago',
  'Mountain Time (US & Canada)': 'America/Denver',
  'Pacific Time (US & Canada)': 'America/Los_Angeles',
  Arizona: 'America/Phoenix',
  Alaska: 'America/Anchorage',
  Hawaii: 'Pacific/Honolulu',
  'Puerto Rico': 'America/Puerto_Rico',
  'Atlantic Time (Canada)': 'America/Halifax',
  Newfoundland: 'America/St_Johns',
  Saskatchewan: 'America/Regina',
  'Mexico City': 'America/Mexico_City',
  Guadalajara: 'America/Mexico_City',
  Monterrey: 'America/Monterrey',
  Chihuahua: 'America/Chihuahua',
  Mazatlan: 'America/Mazatlan',
  Tijuana: 'America/Tijuana',
  'Central America': 'America/Guatemala',
  London: 'Europe/London',
  Dublin: 'Europe/Dublin',
  Tokyo: 'Asia/Tokyo',
  UTC: 'Etc/UTC',
}

/** Returns the IANA name of a time zone from its Rails or IANA name; null if it is unknown. */
export function toTimeZone(name: string | null): string | null {
  const timeZone = name && (railsNames[name] ?? name)
  return timeZone && isTimeZone(timeZone) ? timeZone : null
}
