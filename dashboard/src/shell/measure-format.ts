/** Units in which distances and speeds are shown. The API has kilometers. */
export type Units = 'km' | 'mi'

const KM_PER_MILE = 1.609344

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })
const oneDigit = new Intl.NumberFormat('en-US', { minimumFractionDigits: 1, maximumFractionDigits: 1 })

/** Distance of so many kilometers, such as `12.4 km` or `1,204 mi`. */
export function formatDistance(km: number, units: Units): string {
  const value = units === 'km' ? km : km / KM_PER_MILE
  return `${value < 100 ? oneDigit.format(value) : whole.format(value)} ${units}`
}

/** Speed of so many km/h, such as `88 km/h` or `55 mph`. */
export const formatSpeed = (kmh: number, units: Units): string =>
  `${whole.format(speedIn(kmh, units))} ${units === 'km' ? 'km/h' : 'mph'}`

/** Converts a speed in km/h to the unit that is shown. */
export const speedIn = (kmh: number, units: Units): number => (units === 'km' ? kmh : kmh / KM_PER_MILE)

const POINTS = ['north', 'north-east', 'east', 'south-east', 'south', 'south-west', 'west', 'north-west']

/** Direction of a heading in degrees, such as `north-east`. */
export const formatHeading = (degrees: number): string => POINTS[Math.round(degrees / 45) % 8] ?? ''
