import { milesPerHourToKilometersPerHour, milesToKilometers, rounded } from '../../../domain/units.ts'
import type { Point } from '../../../domain/models/point.ts'

// Conversions that the mappers share. A value that may be missing is null before and after the conversion.

export const toPoint = (place: { lat: number; lng: number } | null): Point | null =>
  place && { longitude: place.lng, latitude: place.lat }

export const toSpeed = (milesPerHour: number | null) =>
  converted(milesPerHour, milesPerHourToKilometersPerHour, 2)

export const toKilometers = (miles: number) => rounded(milesToKilometers(miles), 3)

export const converted = (
  value: number | null,
  convert: (value: number) => number,
  decimals: number,
): number | null => (value === null ? null : rounded(convert(value), decimals))
