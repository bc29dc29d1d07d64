import { proof } from '../proof.ts'
import { type Mutant, applyMutant, type TestSelection, nameOf } from './mutant.ts'
import { geotabMutants } from './geotab-mutants.ts'
import { motiveMutants } from './motive-mutants.ts'
import { runTests } from './run-tests.ts'
import { samsaraMutants } from './samsara-mutants.ts'
import { statusRuleMutants, sharedMutants } from './shared-mutants.ts'
import { SourceTree } from './source-tree.ts'
import { traccarMutants } from './traccar-mutants.ts'

export const mutants: readonly Mutant[] = [
  ...samsaraMutants,
  ...geotabMutants,
  ...traccarMutants,
  ...motiveMutants,
  ...statusRuleMutants,
  ...sharedMutants,
]

/** Mutation test: applies one mutant at a time to a copy of the source. A test must fail for each. */
export const brokenOnPurpose = proof(
  {
    name: 'broken-on-purpose',
    description:
      'each of many deliberate defects in units and in retry rules fails a test that passes without it',
    options: {
      breaks: {
        preset: mutants.length,
        short: 1,
        description: 'number of mutants of each provider and kind',
      },
    },
    choices: {
      only: {
        preset: 'all',
        among: ['all', ...new Set(mutants.map(({ provider }) => provider))],
        description: 'the mutants of one provider, or those in code that all adapters share',
      },
    },
  },
  async (requested) => {
    await using tree = await SourceTree.copy()
    const inapplicable = await inapplicableMutants(tree)
    return inapplicable.length > 0 ? inapplicable : await prove(tree, chosenOf(requested))
  },
)

function chosenOf({ only, breaks: maximum }: { readonly only: string; readonly breaks: number }): Mutant[] {
  const groupOf = ({ provider, kind }: Mutant) => `${provider} ${kind}`
  return mutants
    .filter(({ provider }) => only === 'all' || provider === only)
    .filter(
      (one, at, all) => all.slice(0, at).filter((other) => groupOf(other) === groupOf(one)).length < maximum,
    )
}

/** Returns the mutants whose text the source does not contain once. Includes the mutants that are not chosen. */
async function inapplicableMutants(tree: SourceTree): Promise<string[]> {
  const inapplicable: string[] = []
  for (const one of mutants) {
    const source = await tree.read(one.file).catch(() => '')
    const mutated = applyMutant(one, source)
    if ('why' in mutated) inapplicable.push(`${nameOf(one)}: ${mutated.why}`)
  }
  return inapplicable
}

async function prove(tree: SourceTree, chosen: readonly Mutant[]): Promise<string[]> {
  const failures = await checkTestsPass(tree, chosen)
  if (failures.length > 0) return failures
  for (const one of chosen) {
    const why = await survivalReason(tree, one)
    if (why !== null) failures.push(`${nameOf(one)}: ${why}`)
  }
  console.log(`${chosen.length} mutants, ${chosen.length - failures.length} of them killed`)
  return failures
}

/** Checks that every selection has a test, and that its tests pass without a mutant. */
async function checkTestsPass(tree: SourceTree, chosen: readonly Mutant[]): Promise<string[]> {
  const failures: string[] = []
  for (const file of new Set(chosen.map(({ killedBy }) => killedBy.file))) {
    const selections = chosen.map(({ killedBy }) => killedBy).filter((selection) => selection.file === file)
    const { passed, failed, runError } = await runTests(tree, file, patternOfAny(selections))
    if (runError !== null) failures.push(`${file} cannot run without a mutant: ${runError}`)
    failures.push(...failed.map((name) => `${file} fails without a mutant: ${name}`))
    for (const { only } of runError === null ? selections : [])
      if (only !== undefined && !passed.some((name) => new RegExp(only).test(name)))
        failures.push(`${file} has no passing test whose name matches ${only}`)
    console.log(`without a mutant: ${passed.length} passed in ${file}`)
  }
  return failures
}

/** Returns a pattern that matches the tests of all selections; undefined for every test of the file. */
const patternOfAny = (selections: readonly TestSelection[]): string | undefined =>
  selections.some(({ only }) => only === undefined)
    ? undefined
    : [...new Set(selections.map(({ only }) => `(?:${only})`))].join('|')

/** Returns the reason why a mutant survived; null if a test killed it. */
async function survivalReason(tree: SourceTree, one: Mutant): Promise<string | null> {
  const mutated = applyMutant(one, await tree.read(one.file))
  if ('why' in mutated) return mutated.why
  const { file, only } = one.killedBy
  const { failed, passed, runError } = await tree.with(one.file, mutated.source, () =>
    runTests(tree, file, only),
  )
  const [first] = failed
  const more = failed.length > 1 ? ` and ${failed.length - 1} more` : ''
  console.log(
    `${first === undefined ? 'SURVIVED' : 'killed'} ${nameOf(one).padEnd(90)} ${first ?? ''}${more}`,
  )
  if (first !== undefined) return null
  return runError === null
    ? `${passed.length} tests still pass in ${file}`
    : `the tests cannot run: ${runError}`
}
