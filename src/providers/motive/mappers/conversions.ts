import {
  hoursToMilliseconds,
  milesPerHourToKilometersPerHour,
  milesToKilometers,
  rounded,
  secondsToMilliseconds,
  usGallonsToLiters,
} from '../../../domain/units.ts'
import type { Point } from '../../../domain/models/point.ts'
import { validCoordinates } from '../../mapping/valid-coordinates.ts'

/** Whether a value is metric; otherwise it is in miles or gallons. A value with unknown units becomes null. */
type Metric = boolean | null | undefined
type Measure = number | null | undefined

const inMetric = (value: Measure, isMetric: Metric, convert: (value: number) => number): number | null =>
  value == null || isMetric == null ? null : isMetric ? value : convert(value)

export const toKilometers = (distance: Measure, isMetric: Metric): number | null =>
  roundedTo(inMetric(distance, isMetric, milesToKilometers), 3)

export const toSpeed = (speed: Measure, isMetric: Metric): number | null =>
  roundedTo(inMetric(speed, isMetric, milesPerHourToKilometersPerHour), 2)

export const toLiters = (volume: Measure, isMetric: Metric): number | null =>
  inMetric(volume, isMetric, usGallonsToLiters)

export const toHundredths = (value: Measure): number | null => roundedTo(value ?? null, 2)

const roundedTo = (value: number | null, decimals: number): number | null =>
  value === null ? null : rounded(value, decimals)

export const secondsToDuration = (seconds: Measure): number | null =>
  seconds == null ? null : secondsToMilliseconds(seconds)

export const hoursToDuration = (hours: Measure): number | null =>
  hours == null ? null : hoursToMilliseconds(hours)

/** Null if a coordinate is missing, or if the coordinates are not valid. */
export const toPoint = (latitude: Measure, longitude: Measure): Point | null =>
  latitude == null || longitude == null ? null : validCoordinates({ longitude, latitude })
