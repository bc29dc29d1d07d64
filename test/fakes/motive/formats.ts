const METERS_IN_MILE = 1609.344
const METERS_IN_KILOMETER = 1000
const LITERS_IN_GALLON = 3.785411784
const SECONDS_IN_HOUR = 3600
const MILLISECONDS_IN_HOUR = 3_600_000

export const rounded = (value: number, digits: number): number =>
  Math.round(value * 10 ** digits) / 10 ** digits

/** Rounds a time down to seconds, as Motive does. */
export const secondOf = (at: number): number => Math.floor(at / 1000) * 1000

/** 2016-10-16T07:00:00Z */
export const toTime = (at: number): string => new Date(secondOf(at)).toISOString().replace('.000Z', 'Z')

/** 2016-03-16T08:22:44.226000Z. Only `updated_at` of users has this format. */
export const toPreciseTime = (at: number): string => new Date(at).toISOString().replace('Z', '000Z')

const inUnits = (meters: number, isMetric: boolean): number =>
  meters / (isMetric ? METERS_IN_KILOMETER : METERS_IN_MILE)

export const toDistance = (meters: number, isMetric: boolean): number => rounded(inUnits(meters, isMetric), 6)

export const toSpeed = (metersPerSecond: number, isMetric: boolean): number =>
  rounded(inUnits(metersPerSecond * SECONDS_IN_HOUR, isMetric), 6)

/** Speed of an event: in km/h, also for vehicles with other units. */
export const toEventSpeed = (metersPerSecond: number): number => rounded(metersPerSecond * 3.6, 6)

export const toVolume = (liters: number, isMetric: boolean): number =>
  rounded(isMetric ? liters : liters / LITERS_IN_GALLON, 6)

export const toHours = (milliseconds: number): number => rounded(milliseconds / MILLISECONDS_IN_HOUR, 6)
export const toSeconds = (milliseconds: number): number => Math.floor(milliseconds / 1000)
export const toKilometers = (meters: number): number => rounded(meters / METERS_IN_KILOMETER, 6)
export const toDegrees = (degrees: number): number => rounded(degrees, 7)
export const toBearing = (degrees: number): number => rounded(degrees, 2) % 360
export const toPercent = (share: number): number => rounded(share * 100, 2)

const railsNames: Readonly<Record<string, string>> = {
  'America/New_York': 'Eastern Time (US & Canada)',
  'America/Chicago': 'Central Time (US & Canada)',
  'America/Denver': 'Mountain Time (US & Canada)',
  'America/Phoenix': 'Arizona',
  'America/Los_Angeles': 'Pacific Time (US & Canada)',
  'Asia/Tokyo': 'Tokyo',
  UTC: 'UTC',
}

/** Returns the Rails name of a zone. */
export const toZoneName = (zone: string): string => railsNames[zone] ?? zone

/** Returns the zone of a Rails name; null if unknown. */
export const zoneOf = (name: string): string | null =>
  Object.entries(railsNames).find(([, rails]) => rails === name)?.[0] ?? null
