/** Kind of a provider's break: a value in a wrong unit, or a wrong rule for failures. */
export type BreakKind = 'unit' | 'rule'

/** Tests that must fail with a break. */
export interface Guard {
  readonly file: string
  /** Pattern of test names; without it every test of the file. */
  readonly only?: string
}

/** A deliberate defect: a text that occurs once in the source, and its replacement. */
export interface Break {
  /** Description of the defect. */
  readonly description: string
  /** Provider of the defect; `shared` is the base of every adapter. */
  readonly provider: string
  readonly kind: BreakKind
  readonly file: string
  readonly text: string
  readonly replacement: string
  readonly guard: Guard
}

/** vitest quotes values in test names and cuts them at this length. */
const MAX_NAME_LENGTH = 37

/** Guard: the sync of a provider ends in the expected state after a failure. */
export const afterFailure = (provider: string, failure: string): Guard => ({
  file: `test/system/providers/${provider}/failures.test.ts`,
  only: `a sync with ${provider} on \\w+ .*${failure.slice(0, MAX_NAME_LENGTH)}`,
})

export const nameOf = ({ provider, kind, description }: Break): string =>
  `${provider} ${kind}: ${description}`

/** Returns the source with the break, or the reason why the break does not apply. */
export function brokenBy(
  { text, replacement, file }: Break,
  source: string,
): { source: string } | { why: string } {
  const times = source.split(text).length - 1
  if (times !== 1) return { why: `its text occurs ${times} times in ${file}, not once: ${text}` }
  return { source: source.replace(text, () => replacement) }
}
