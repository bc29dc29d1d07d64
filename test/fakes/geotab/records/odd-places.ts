import type { Place } from '../../world/truth.ts'
import { degrees } from '../words.ts'
import type { Fleet } from './fleet.ts'

/** Whether a place is told that is none, of the so-manieth that happens. */
export const isOddPlace = ({ switches }: Fleet, number: number): boolean =>
  switches.oddRecords === 'some' && number % 5 === 2

/** x is the longitude. Some are where no device was, and some are no numbers. */
export function toldPoint(fleet: Fleet, number: number, { longitude, latitude }: Place) {
  if (!isOddPlace(fleet, number)) return { x: degrees(longitude), y: degrees(latitude) }
  return number % 2 === 0 ? { x: 0, y: 0 } : { x: 'NaN', y: 'NaN' }
}
