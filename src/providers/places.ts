import { z } from 'zod'
import type { Point } from './drafts.ts'

const place = z.looseObject({ latitude: z.number(), longitude: z.number() })

/** Not where a device is that does not know where it is. What cannot be read is left for the mapping to refuse. */
export function isPlace(record: unknown): boolean {
  const { data } = place.safeParse(record)
  return !data || data.latitude !== 0 || data.longitude !== 0
}

/** A place as it was told; null where it is none. */
export const somewhere = (told: Point | null | undefined): Point | null =>
  told && isPlace(told) ? told : null
