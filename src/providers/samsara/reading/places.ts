import { z } from 'zod'

const place = z.looseObject({ latitude: z.number(), longitude: z.number() })

/** Not where a gateway is that does not know where it is. What cannot be read is left for the mapping to refuse. */
export function isPlace(record: unknown): boolean {
  const { data } = place.safeParse(record)
  return !data || data.latitude !== 0 || data.longitude !== 0
}
