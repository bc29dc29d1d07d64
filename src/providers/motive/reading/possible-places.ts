import { z } from 'zod'

const place = z.looseObject({
  lat: z.union([z.number(), z.string()]).transform(Number),
  lon: z.union([z.number(), z.string()]).transform(Number),
})

/** Places are told that cannot be: nothing was there. What cannot be read at all is left for the mapping to refuse. */
export function isPossible(location: unknown): boolean {
  const { data } = place.safeParse(location)
  return !data || (Math.abs(data.lat) <= 90 && Math.abs(data.lon) <= 180)
}
