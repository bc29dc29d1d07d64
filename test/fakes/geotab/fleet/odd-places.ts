import type { Place } from '../../world/truth.ts'
import { degrees } from '../formats.ts'
import type { Fleet } from './fleet.ts'

/** Whether the record with this number gets an invalid position. */
export const hasInvalidPosition = ({ switches }: Fleet, number: number): boolean =>
  switches.oddRecords === 'some' && number % 5 === 2

/** Returns a point; x is the longitude. Invalid points are 0/0 or not numbers. */
export function reportedPoint(fleet: Fleet, number: number, { longitude, latitude }: Place) {
  if (!hasInvalidPosition(fleet, number)) return { x: degrees(longitude), y: degrees(latitude) }
  return number % 2 === 0 ? { x: 0, y: 0 } : { x: 'NaN', y: 'NaN' }
}
