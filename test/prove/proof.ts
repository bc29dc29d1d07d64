import { parseArgs } from 'node:util'
import type { Store } from './support/service-process.ts'

export interface Proof {
  readonly name: string
  readonly description: string
  /** Something that only the caller has, such as an account; `--all` then skips the proof. */
  readonly needs?: string
  /** Returns the failures; null for a request for help. */
  run(args: readonly string[]): Promise<readonly string[] | null>
}

/** A number option of a proof. */
interface Option {
  readonly preset: number
  /** Value with `--short`, if different. */
  readonly short?: number
  readonly description: string
}

/** A word option of a proof: one of a list. */
interface Choice {
  readonly preset: string
  readonly among: readonly string[]
  readonly description: string
}

interface Description<Name extends string, Word extends string> extends Omit<Proof, 'run'> {
  readonly options: Readonly<Record<Name, Option>>
  readonly choices?: Readonly<Record<Word, Choice>>
}

type Values<Name extends string, Word extends string> = Readonly<Record<Name, number> & Record<Word, string>>

/** Creates a proof that does not depend on a store. */
export const proof = <Name extends string, Word extends string = never>(
  description: Description<Name, Word>,
  prove: (values: Values<Name, Word>) => Promise<readonly string[]>,
): Proof => ({
  ...description,
  async run(args) {
    const requested = read(args, description)
    if (requested) return prove(requested.values)
    console.log(helpOf(description))
    return null
  },
})

/** Runs a proof on one store with the values of its options. Returns the failures. */
type Prove<Name extends string, Word extends string> = (
  store: Store,
  values: Values<Name, Word>,
) => Promise<readonly string[]>

/** Creates a proof that runs on each store, or on the one of `--store`. */
export const proofOnStores = <Name extends string, Word extends string = never>(
  description: Description<Name, Word>,
  prove: Prove<Name, Word>,
): Proof => ({
  ...description,
  async run(args) {
    const requested = read(args, description)
    if (!requested) {
      console.log([helpOf(description), STORE_HELP].join('\n'))
      return null
    }
    const failures: string[] = []
    for (const store of requested.stores) failures.push(...(await prove(store, requested.values)))
    return failures
  },
})

interface ParsedArguments<Name extends string, Word extends string> {
  readonly stores: readonly Store[]
  readonly values: Values<Name, Word>
}

/** Parses the command line; null for help. */
function read<Name extends string, Word extends string>(
  args: readonly string[],
  { options, choices }: Description<Name, Word>,
): ParsedArguments<Name, Word> | null {
  const numbers = Object.entries<Option>(options)
  const formats = Object.entries<Choice>(choices ?? {})
  const names = [...numbers, ...formats].map(([name]) => name)
  const known = Object.fromEntries([...names, 'store'].map((name) => [name, { type: 'string' }] as const))
  const flags = { help: { type: 'boolean' }, short: { type: 'boolean' } } as const
  const parsed = parseArgs({ args: [...args], options: { ...known, ...flags } })
  const values: Readonly<Record<string, unknown>> = parsed.values
  if (values['help']) return null
  const presetOf = ({ preset, short }: Option) => (values['short'] ? (short ?? preset) : preset)
  return {
    stores: storesNamed(String(values['store'] ?? 'both')),
    values: Object.fromEntries([
      ...numbers.map(([name, option]) => [name, numberIn(name, values[name] ?? presetOf(option))]),
      ...formats.map(([name, choice]) => [name, wordIn(name, choice, values[name])]),
    ]) as Values<Name, Word>,
  }
}

function storesNamed(name: string): readonly Store[] {
  if (name === 'both') return ['sqlite', 'mariadb']
  if (name === 'sqlite' || name === 'mariadb') return [name]
  throw new Error(`--store must be sqlite, mariadb or both, not ${name}`)
}

function numberIn(name: string, text: unknown): number {
  const value = Number(text)
  if (!(value > 0)) throw new Error(`--${name} must be a number above 0, not ${String(text)}`)
  return value
}

function wordIn(name: string, { preset, among }: Choice, given: unknown): string {
  const word = String(given ?? preset)
  if (!among.includes(word)) throw new Error(`--${name} must be one of ${among.join(', ')}, not ${word}`)
  return word
}

const helpOf = ({ options, choices = {} }: Description<string, string>): string =>
  [
    ...Object.entries(options).map(([name, { preset, short, description }]) =>
      helpLine(`--${name} N`, description, short === undefined ? preset : `${preset}; with --short ${short}`),
    ),
    ...Object.entries(choices).map(([name, { preset, among, description }]) =>
      helpLine(`--${name} NAME`, `${description}: ${among.join(', ')}`, preset),
    ),
    '--short            values for a run of a minute or two',
  ].join('\n')

const helpLine = (option: string, description: string, preset: string | number): string =>
  `${option.padEnd(18)} ${description} (${preset})`

const STORE_HELP = '--store NAME       sqlite, mariadb or both (both)'
