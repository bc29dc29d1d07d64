import { z } from 'zod'
import { hasValidCoordinates } from '../../mapping/valid-coordinates.ts'

const place = z.looseObject({
  lat: z.union([z.number(), z.string()]).transform(Number),
  lon: z.union([z.number(), z.string()]).transform(Number),
})

/** Places are told that cannot be: nothing was there. What cannot be read at all is left for the mapping to refuse. */
export function isValidLocation(location: unknown): boolean {
  const { data } = place.safeParse(location)
  if (!data) return true
  const { lat: latitude, lon: longitude } = data
  return (
    Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 && hasValidCoordinates({ latitude, longitude })
  )
}
