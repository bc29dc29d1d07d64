import { z } from 'zod'
import { optionalMember } from './optional-member.ts'

const words: Readonly<Record<string, boolean>> = { true: true, false: false }

/** Boolean of a provider. Some providers send it as a text. */
export const readableBoolean = z.preprocess(
  (value) => (typeof value === 'string' ? (words[value.trim().toLowerCase()] ?? value) : value),
  z.boolean(),
)

export const optionalBoolean = optionalMember(readableBoolean)
