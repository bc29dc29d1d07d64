import { metersToKilometers, milesPerHourToKilometersPerHour, rounded } from '../../../domain/units.ts'
import type { Point } from '../../../domain/models/point.ts'
import { validCoordinates } from '../../mapping/valid-coordinates.ts'
import { toIso } from '../../../domain/time.ts'

type Measure = number | null | undefined

export const toKilometers = (meters: Measure): number | null =>
  meters == null ? null : rounded(metersToKilometers(meters), 3)

/** Converts the speed of a stat. Safety events already have kilometers per hour. */
export const milesToSpeed = (milesPerHour: Measure): number | null =>
  milesPerHour == null ? null : rounded(milesPerHourToKilometersPerHour(milesPerHour), 2)

/** Null if the coordinates are not valid. */
export const toPlace = (place: Point | null | undefined): Point | null =>
  validCoordinates(place && toPoint(place))

export const toPoint = ({ latitude, longitude }: Point): Point => ({ longitude, latitude })

/** Builds the id of a record to which Samsara gives none, from its owner and its start. */
export const keyOf = (owner: string, start: number): string => `${owner}:${toIso(start)}`
