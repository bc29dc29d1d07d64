import { proof } from '../proof.ts'
import { type Break, brokenBy, type Guard, nameOf } from './break.ts'
import { geotabBreaks } from './geotab-breaks.ts'
import { motiveBreaks } from './motive-breaks.ts'
import { runGuard } from './run-guard.ts'
import { samsaraBreaks } from './samsara-breaks.ts'
import { rulesOfEach, sharedBreaks } from './shared-breaks.ts'
import { SourceTree } from './source-tree.ts'
import { traccarBreaks } from './traccar-breaks.ts'

export const breaks: readonly Break[] = [
  ...samsaraBreaks,
  ...geotabBreaks,
  ...traccarBreaks,
  ...motiveBreaks,
  ...rulesOfEach,
  ...sharedBreaks,
]

/**
 * Checks the tests themselves: makes deliberate defects in a copy of the source, one at a time. A test must
 * fail.
 */
export const brokenOnPurpose = proof(
  {
    name: 'broken-on-purpose',
    description:
      'each of many deliberate defects in units and in retry rules fails a test that passes without it',
    options: {
      breaks: { preset: breaks.length, short: 1, description: 'number of breaks of each provider and kind' },
    },
    choices: {
      only: {
        preset: 'all',
        among: ['all', ...new Set(breaks.map(({ provider }) => provider))],
        description: 'the breaks of one provider, or the shared ones',
      },
    },
  },
  async (requested) => {
    await using tree = await SourceTree.copy()
    const unfit = await unfitOf(tree)
    return unfit.length > 0 ? unfit : await prove(tree, chosenOf(requested))
  },
)

function chosenOf({ only, breaks: most }: { readonly only: string; readonly breaks: number }): Break[] {
  const sort = ({ provider, kind }: Break) => `${provider} ${kind}`
  return breaks
    .filter(({ provider }) => only === 'all' || provider === only)
    .filter((one, at, all) => all.slice(0, at).filter((other) => sort(other) === sort(one)).length < most)
}

/** Checks all breaks, including unselected ones, so that a changed source text is found at once. */
async function unfitOf(tree: SourceTree): Promise<string[]> {
  const unfit: string[] = []
  for (const one of breaks) {
    const source = await tree.read(one.file).catch(() => '')
    const broken = brokenBy(one, source)
    if ('why' in broken) unfit.push(`${nameOf(one)}: ${broken.why}`)
  }
  return unfit
}

async function prove(tree: SourceTree, chosen: readonly Break[]): Promise<string[]> {
  const failures = await provesGreen(tree, chosen)
  if (failures.length > 0) return failures
  for (const one of chosen) {
    const why = await provesRed(tree, one)
    if (why !== null) failures.push(`${nameOf(one)}: ${why}`)
  }
  console.log(`${chosen.length} breaks, ${chosen.length - failures.length} of them detected`)
  return failures
}

/** Checks that every guard has a test, and that it passes without a break. */
async function provesGreen(tree: SourceTree, chosen: readonly Break[]): Promise<string[]> {
  const failures: string[] = []
  for (const file of new Set(chosen.map(({ guard }) => guard.file))) {
    const guards = chosen.map(({ guard }) => guard).filter((guard) => guard.file === file)
    const { passed, failed, broke } = await runGuard(tree, file, anyOf(guards))
    if (broke !== null) failures.push(`${file} cannot run without a break: ${broke}`)
    failures.push(...failed.map((name) => `${file} fails without a break: ${name}`))
    for (const { only } of broke === null ? guards : [])
      if (only !== undefined && !passed.some((name) => new RegExp(only).test(name)))
        failures.push(`${file} has no test that passes of the name ${only}`)
    console.log(`without a break: ${passed.length} passed in ${file}`)
  }
  return failures
}

const anyOf = (guards: readonly Guard[]): string | undefined =>
  guards.some(({ only }) => only === undefined)
    ? undefined
    : [...new Set(guards.map(({ only }) => `(?:${only})`))].join('|')

/** Returns the reason why a break was not detected; null if a test failed. */
async function provesRed(tree: SourceTree, one: Break): Promise<string | null> {
  const broken = brokenBy(one, await tree.read(one.file))
  if ('why' in broken) return broken.why
  const { file, only } = one.guard
  const { failed, passed, broke } = await tree.with(one.file, broken.source, () => runGuard(tree, file, only))
  const [first] = failed
  const more = failed.length > 1 ? ` and ${failed.length - 1} more` : ''
  console.log(`${first === undefined ? 'MISSED' : 'failed'} ${nameOf(one).padEnd(90)} ${first ?? ''}${more}`)
  if (first !== undefined) return null
  return broke === null ? `${passed.length} tests stay green in ${file}` : `its tests cannot run: ${broke}`
}
