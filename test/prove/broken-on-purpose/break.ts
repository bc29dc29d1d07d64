/** Kind of a deliberate defect: a value in a wrong unit, or any other wrong rule. */
export type BreakKind = 'unit' | 'rule'

/** Tests that must detect a defect: at least one of them fails. */
export interface Guard {
  readonly file: string
  /** Pattern of test names; without it every test of the file. */
  readonly only?: string
}

/** A deliberate defect: a text that occurs once in the source, and its replacement. */
export interface Break {
  /** Description of the defect. */
  readonly description: string
  /** Provider whose adapter gets the defect. `shared` means code that all adapters use. */
  readonly provider: string
  readonly kind: BreakKind
  readonly file: string
  readonly text: string
  readonly replacement: string
  readonly guard: Guard
}

/** vitest quotes each value in a test name, and keeps this many characters of a long value. */
const MAX_VALUE_LENGTH = 37

/** Returns the guard that the sync of a provider ends in the expected state after a failure. */
export const afterFailure = (provider: string, failure: string): Guard => ({
  file: `test/system/providers/${provider}/failures.test.ts`,
  only: `a sync with ${provider} on \\w+ .*${failure.slice(0, MAX_VALUE_LENGTH)}`,
})

export const nameOf = ({ provider, kind, description }: Break): string =>
  `${provider} ${kind}: ${description}`

/** Returns the source with the defect, or the reason why the defect cannot be applied. */
export function brokenBy(
  { text, replacement, file }: Break,
  source: string,
): { source: string } | { why: string } {
  const times = source.split(text).length - 1
  if (times !== 1) return { why: `its text occurs ${times} times in ${file}, not once: ${text}` }
  return { source: source.replace(text, () => replacement) }
}
