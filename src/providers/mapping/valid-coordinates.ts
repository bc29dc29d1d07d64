import { z } from 'zod'
import type { Point } from '../normalized-records.ts'

const place = z.looseObject({ latitude: z.number(), longitude: z.number() })

/** Not where a device is that does not know where it is. What cannot be read is left for the mapping to refuse. */
export function hasValidCoordinates(record: unknown): boolean {
  const { data } = place.safeParse(record)
  return !data || data.latitude !== 0 || data.longitude !== 0
}

/** A place as it was told; null where it is none. */
export const validCoordinates = (told: Point | null | undefined): Point | null =>
  told && hasValidCoordinates(told) ? told : null
