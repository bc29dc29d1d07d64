import { parseArgs } from 'node:util'
import type { Store } from './service-process.ts'

export interface Proof {
  readonly name: string
  readonly says: string
  /** Gives what does not hold. */
  run(args: readonly string[]): Promise<readonly string[]>
}

/** A number that a proof may be given on the command line. */
interface Option {
  readonly preset: number
  readonly says: string
}

interface Description<Name extends string> {
  readonly name: string
  readonly says: string
  readonly options: Readonly<Record<Name, Option>>
}

type Values<Name extends string> = Readonly<Record<Name, number>>

/** A proof that is of no store in particular. */
export const proof = <Name extends string>(
  { name, says, options }: Description<Name>,
  prove: (values: Values<Name>) => Promise<readonly string[]>,
): Proof => ({
  name,
  says,
  async run(args) {
    const asked = read(args, options)
    if (asked) return prove(asked.values)
    console.log(helpOf(options))
    return []
  },
})

/** Proves something on one store with the options' values; gives what does not hold. */
type Prove<Name extends string> = (store: Store, values: Values<Name>) => Promise<readonly string[]>

/** A proof that runs on each store, or on the one that `--store` names. */
export const proofOnStores = <Name extends string>(
  { name, says, options }: Description<Name>,
  prove: Prove<Name>,
): Proof => ({
  name,
  says,
  async run(args) {
    const asked = read(args, options)
    if (!asked) {
      console.log([helpOf(options), STORE_HELP].join('\n'))
      return []
    }
    const failures: string[] = []
    for (const store of asked.stores) failures.push(...(await prove(store, asked.values)))
    return failures
  },
})

interface Asked<Name extends string> {
  readonly stores: readonly Store[]
  readonly values: Values<Name>
}

/** What the command line asks for; null is help. */
function read<Name extends string>(
  args: readonly string[],
  options: Readonly<Record<Name, Option>>,
): Asked<Name> | null {
  const names = Object.keys(options) as Name[]
  const known = Object.fromEntries([...names, 'store'].map((name) => [name, { type: 'string' }] as const))
  const parsed = parseArgs({ args: [...args], options: { ...known, help: { type: 'boolean' } } })
  const values: Readonly<Record<string, unknown>> = parsed.values
  if (values['help']) return null
  return {
    stores: storesNamed(String(values['store'] ?? 'both')),
    values: Object.fromEntries(
      names.map((name) => [name, numberIn(name, values[name] ?? options[name].preset)]),
    ) as Record<Name, number>,
  }
}

function storesNamed(name: string): readonly Store[] {
  if (name === 'both') return ['sqlite', 'mariadb']
  if (name === 'sqlite' || name === 'mariadb') return [name]
  throw new Error(`--store is sqlite, mariadb or both, not ${name}`)
}

function numberIn(name: string, text: unknown): number {
  const value = Number(text)
  if (!(value > 0)) throw new Error(`--${name} is a number above 0, not ${String(text)}`)
  return value
}

const helpOf = (options: Readonly<Record<string, Option>>): string =>
  Object.entries(options)
    .map(([name, { preset, says }]) => `--${name} N`.padEnd(17) + `${says} (${preset})`)
    .join('\n')

const STORE_HELP = '--store NAME     sqlite, mariadb or both (both)'
