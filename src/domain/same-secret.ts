import { createHash, timingSafeEqual } from 'node:crypto'

/** Compares two texts in a time that depends on neither. */
export const isSameSecret = (one: string, other: string): boolean =>
  timingSafeEqual(digestOf(one), digestOf(other))

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest()
