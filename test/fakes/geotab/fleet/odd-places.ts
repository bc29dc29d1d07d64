import type { Place } from '../../world/truth.ts'
import { degrees } from '../formats.ts'
import type { Fleet } from './fleet.ts'

/** Returns whether the nth record gets an invalid position. */
export const isOddPlace = ({ switches }: Fleet, number: number): boolean =>
  switches.oddRecords === 'some' && number % 5 === 2

/** Returns a point; x is the longitude. Invalid ones are 0/0, where no device is, or not numbers. */
export function reportedPoint(fleet: Fleet, number: number, { longitude, latitude }: Place) {
  if (!isOddPlace(fleet, number)) return { x: degrees(longitude), y: degrees(latitude) }
  return number % 2 === 0 ? { x: 0, y: 0 } : { x: 'NaN', y: 'NaN' }
}
