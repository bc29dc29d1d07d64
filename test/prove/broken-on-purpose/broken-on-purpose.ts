import { parseArgs } from 'node:util'
import type { Proof } from '../proof.ts'
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

const HELP = `--only NAME      the breaks of one provider, or those of what is shared: ${[...new Set(breaks.map(({ provider }) => provider))].join(', ')}
--breaks N       so many of each provider and kind; without it all of them`

/** Tests that no mistake turns red guard nothing: mistakes are made on purpose, one at a time, in a copy. */
export const brokenOnPurpose: Proof = {
  name: 'broken-on-purpose',
  says: 'each of many deliberate mistakes in units and in retry rules turns a test red that is green without it',
  async run(args) {
    const options = {
      only: { type: 'string' },
      breaks: { type: 'string' },
      help: { type: 'boolean' },
    } as const
    const { values } = parseArgs({ args: [...args], options })
    if (values.help) {
      console.log(HELP)
      return []
    }
    const chosen = chosenOf(values.only, values.breaks)
    await using tree = await SourceTree.copy()
    const unfit = await unfitOf(tree)
    return unfit.length > 0 ? unfit : await prove(tree, chosen)
  },
}

function chosenOf(only: string | undefined, text: string | undefined): Break[] {
  const most = Number(text ?? Infinity)
  if (!(most > 0)) throw new Error(`--breaks is a number above 0, not ${text}`)
  const sort = ({ provider, kind }: Break) => `${provider} ${kind}`
  const chosen = breaks
    .filter(({ provider }) => only === undefined || provider === only)
    .filter((one, at, all) => all.slice(0, at).filter((other) => sort(other) === sort(one)).length < most)
  if (chosen.length === 0) throw new Error(`--only ${only}: there are no breaks of it\n${HELP}`)
  return chosen
}

/** All are looked for, also those that are not chosen: a text that moved is found out at once. */
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
  console.log(`${chosen.length} breaks, ${chosen.length - failures.length} of them seen`)
  return failures
}

/** Without a break, every test that guards against one is there and passes. */
async function provesGreen(tree: SourceTree, chosen: readonly Break[]): Promise<string[]> {
  const failures: string[] = []
  for (const file of new Set(chosen.map(({ guard }) => guard.file))) {
    const guards = chosen.map(({ guard }) => guard).filter((guard) => guard.file === file)
    const { passed, failed, broke } = await runGuard(tree, file, anyOf(guards))
    if (broke !== null) failures.push(`${file} cannot run without a break: ${broke}`)
    failures.push(...failed.map((name) => `${file} is red without a break: ${name}`))
    for (const { only } of broke === null ? guards : [])
      if (only !== undefined && !passed.some((name) => new RegExp(only).test(name)))
        failures.push(`${file} has no test that passes of the name ${only}`)
    console.log(`without a break: ${passed.length} green in ${file}`)
  }
  return failures
}

const anyOf = (guards: readonly Guard[]): string | undefined =>
  guards.some(({ only }) => only === undefined)
    ? undefined
    : [...new Set(guards.map(({ only }) => `(?:${only})`))].join('|')

/** Why a break went unseen; null where it turned a test red. */
async function provesRed(tree: SourceTree, one: Break): Promise<string | null> {
  const broken = brokenBy(one, await tree.read(one.file))
  if ('why' in broken) return broken.why
  const { file, only } = one.guard
  const { failed, passed, broke } = await tree.with(one.file, broken.source, () => runGuard(tree, file, only))
  const [first] = failed
  const more = failed.length > 1 ? ` and ${failed.length - 1} more` : ''
  console.log(`${first === undefined ? 'UNSEEN' : 'red   '} ${nameOf(one).padEnd(90)} ${first ?? ''}${more}`)
  if (first !== undefined) return null
  return broke === null ? `${passed.length} tests stay green in ${file}` : `its tests cannot run: ${broke}`
}
