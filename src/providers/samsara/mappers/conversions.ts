import { metersToKilometers, milesPerHourToKilometersPerHour, rounded } from '../../../domain/units.ts'
import type { Point } from '../../normalized-records.ts'
import { validCoordinates } from '../../mapping/valid-coordinates.ts'
import { toIso } from '../../../domain/time.ts'

type Measure = number | null | undefined

export const toKilometers = (meters: Measure): number | null =>
  meters == null ? null : rounded(metersToKilometers(meters), 3)

/** Speeds of stats are miles per hour; those of safety events are not. */
export const milesToSpeed = (milesPerHour: Measure): number | null =>
  milesPerHour == null ? null : rounded(milesPerHourToKilometersPerHour(milesPerHour), 2)

/** Null where nothing is. */
export const toPlace = (told: Point | null | undefined): Point | null =>
  validCoordinates(told && toPoint(told))

export const toPoint = ({ latitude, longitude }: Point): Point => ({ longitude, latitude })

/** What has no id at Samsara is known by whose it is and when it began. */
export const keyOf = (owner: string, at: number): string => `${owner}:${toIso(at)}`
