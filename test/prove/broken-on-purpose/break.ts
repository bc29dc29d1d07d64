/** What a provider's break is of: a measure that is told in a wrong unit, or a rule about what goes wrong. */
export type BreakKind = 'unit' | 'rule'

/** Tests that must see a break. */
export interface Guard {
  readonly file: string
  /** A pattern of the names of tests; without it all of the file. */
  readonly only?: string
}

/** One deliberate mistake in the source: a text that stands there once, and what takes its place. */
export interface Break {
  /** What is wrong then. */
  readonly says: string
  /** Whose it is; `shared` is what every adapter is built on. */
  readonly provider: string
  readonly kind: BreakKind
  readonly file: string
  readonly text: string
  readonly instead: string
  readonly guard: Guard
}

/** Names that stand for a value are quoted and cut off after so many letters. */
const MOST_OF_A_NAME = 37

/** That a sync ends as it should after something went wrong at its provider. */
export const afterTrouble = (provider: string, trouble: string): Guard => ({
  file: `test/system/providers/${provider}/failures.test.ts`,
  only: `a sync with ${provider} on \\w+ .*${trouble.slice(0, MOST_OF_A_NAME)}`,
})

export const nameOf = ({ provider, kind, says }: Break): string => `${provider} ${kind}: ${says}`

/** A source with the break in it, or in words why it cannot be broken so. */
export function brokenBy(
  { text, instead, file }: Break,
  source: string,
): { source: string } | { why: string } {
  const times = source.split(text).length - 1
  if (times !== 1) return { why: `its text stands ${times} times in ${file}, not once: ${text}` }
  return { source: source.replace(text, () => instead) }
}
