import { z } from 'zod'
import type { Point } from '../../domain/models/point.ts'
import { decimal } from './numbers.ts'

export const latitude = decimal.refine((value) => Math.abs(value) <= 90, 'not a latitude')
export const longitude = decimal.refine((value) => Math.abs(value) <= 180, 'not a longitude')

const coordinates = z.looseObject({ latitude: decimal, longitude: decimal })

/**
 * Whether a record has coordinates other than 0, 0, which devices without a fix report. A record that cannot
 * be parsed passes, so that its mapping rejects it and the sync reports it.
 */
export function hasValidCoordinates(record: unknown): boolean {
  const { data } = coordinates.safeParse(record)
  return !data || data.latitude !== 0 || data.longitude !== 0
}

/** Returns the point, or null if its coordinates are 0, 0. */
export const validCoordinates = (point: Point | null | undefined): Point | null =>
  point && hasValidCoordinates(point) ? point : null
