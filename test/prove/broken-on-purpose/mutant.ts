/** Kind of the defect of a mutant: a value in a wrong unit, or another wrong rule. */
export type MutantKind = 'unit' | 'rule'

/** Tests of one file. */
export interface TestSelection {
  readonly file: string
  /** Pattern of the test names. By default, every test of the file is selected. */
  readonly only?: string
}

/** A change of one source file that makes a deliberate defect, as in mutation testing. */
export interface Mutant {
  /** Description of the defect. */
  readonly description: string
  /** Provider whose adapter gets the defect. `shared` means code that all adapters use. */
  readonly provider: string
  readonly kind: MutantKind
  readonly file: string
  /** Text that occurs exactly once in the file. */
  readonly text: string
  readonly replacement: string
  /** Tests that must detect the defect: at least one of them fails. */
  readonly killedBy: TestSelection
}

/** vitest quotes each value in a test name, and keeps this many characters of a long value. */
const MAX_VALUE_LENGTH = 37

/** Selects the tests that a sync ends in the expected state after a failure of the provider. */
export const failureTests = (provider: string, failure: string): TestSelection => ({
  file: `test/system/providers/${provider}/failures.test.ts`,
  only: `a sync with ${provider} on \\w+ .*${failure.slice(0, MAX_VALUE_LENGTH)}`,
})

export const nameOf = ({ provider, kind, description }: Mutant): string =>
  `${provider} ${kind}: ${description}`

/** Returns the mutated source, or the reason why the mutant does not apply. */
export function applyMutant(
  { text, replacement, file }: Mutant,
  source: string,
): { source: string } | { reason: string } {
  const times = source.split(text).length - 1
  if (times !== 1)
    return { reason: `the text to replace must occur once in ${file}, but occurs ${times} times: ${text}` }
  return { source: source.replace(text, () => replacement) }
}
