import { z } from 'zod'

/**
 * Id of a provider's record: a text, or an integer. An integer above 2^53 is refused: JSON parsing rounds it, so it
 * would be the id of another record.
 */
export const readableId = z.union([z.string().min(1), z.number().int()]).transform(String)
