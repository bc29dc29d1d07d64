import { z } from 'zod'
import { decimal } from '../../mapping/numbers.ts'
import { hasValidCoordinates } from '../../mapping/valid-coordinates.ts'

const coordinates = z.looseObject({
  lat: decimal,
  lon: decimal,
})

/** Whether a location has possible coordinates. An unreadable location passes, so that the mapping rejects it. */
export function isValidLocation(location: unknown): boolean {
  const { data } = coordinates.safeParse(location)
  if (!data) return true
  const { lat: latitude, lon: longitude } = data
  return (
    Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 && hasValidCoordinates({ latitude, longitude })
  )
}
