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

/** Mutation test: applies one mutant at a time to a copy of the source. At least one test must fail for each mutant. */
export const brokenOnPurpose = proof(
  {
    name: 'broken-on-purpose',
    description: 'a test detects each deliberate defect in the source, and passes without it',
    options: {
      breaks: {
        preset: mutants.length,
        short: 1,
        description: 'maximum number of mutants of each provider and kind',
      },
    },
    choices: {
      only: {
        preset: 'all',
        among: ['all', ...new Set(mutants.map(({ provider }) => provider))],
        description: 'only mutants in the adapter of one provider; shared: in code that all adapters use',
      },
    },
  },
  async (requested) => {
    await using tree = await SourceTree.copy()
    const inapplicable = await inapplicableMutants(tree)
    return inapplicable.length > 0 ? inapplicable : await prove(tree, chosenMutants(requested))
  },
)

function chosenMutants({
  only,
  breaks: maximum,
}: {
  readonly only: string
  readonly breaks: number
}): Mutant[] {
  const groupOf = ({ provider, kind }: Mutant) => `${provider} ${kind}`
  return mutants
    .filter(({ provider }) => only === 'all' || provider === only)
    .filter(
      (mutant, index, all) =>
        all.slice(0, index).filter((other) => groupOf(other) === groupOf(mutant)).length < maximum,
    )
}

/** Returns the mutants whose text does not occur exactly once in the source. It checks all mutants, chosen or not. */
async function inapplicableMutants(tree: SourceTree): Promise<string[]> {
  const inapplicable: string[] = []
  for (const mutant of mutants) {
    const source = await tree.read(mutant.file).catch(() => '')
    const mutated = applyMutant(mutant, source)
    if ('reason' in mutated) inapplicable.push(`${nameOf(mutant)}: ${mutated.reason}`)
  }
  return inapplicable
}

async function prove(tree: SourceTree, chosen: readonly Mutant[]): Promise<string[]> {
  const failures = await failuresWithoutMutant(tree, chosen)
  if (failures.length > 0) return failures
  for (const mutant of chosen) {
    const reason = await survivalReason(tree, mutant)
    if (reason !== null) failures.push(`${nameOf(mutant)}: ${reason}`)
  }
  console.log(`${chosen.length} mutants, ${chosen.length - failures.length} of them killed`)
  return failures
}

/** Returns the tests that fail without a mutant, and the selections that match no test. */
async function failuresWithoutMutant(tree: SourceTree, chosen: readonly Mutant[]): Promise<string[]> {
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
async function survivalReason(tree: SourceTree, mutant: Mutant): Promise<string | null> {
  const mutated = applyMutant(mutant, await tree.read(mutant.file))
  if ('reason' in mutated) return mutated.reason
  const { file, only } = mutant.killedBy
  const { failed, passed, runError } = await tree.with(mutant.file, mutated.source, () =>
    runTests(tree, file, only),
  )
  const [first] = failed
  const more = failed.length > 1 ? ` and ${failed.length - 1} more` : ''
  console.log(
    `${first === undefined ? 'SURVIVED' : 'killed'} ${nameOf(mutant).padEnd(90)} ${first ?? ''}${more}`,
  )
  if (first !== undefined) return null
  return runError === null
    ? `${passed.length} tests still pass in ${file}`
    : `the tests cannot run: ${runError}`
}
