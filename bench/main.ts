import 'reflect-metadata'
import { parseArgs } from 'node:util'
import { compareServers } from './compare.ts'
import { compareExecutors } from './executor.ts'
import { comparePurchases } from './purchases/compare-purchases.ts'
import { type Comparison, heading, lineOf } from './report.ts'
import { openStore } from './stores.ts'
import { type StoreName, storeNames, type WorkloadName, workloadNames, workloads } from './workloads.ts'

/** Runs `npm run bench`. Each comparison measures two sides in turn; the result is their ratio. */

const HELP = `Usage: npm run bench -- [options]

Compares this service with a hand-written Fastify server that returns the same responses from the same rows.
Also compares its compiled executor with graphql-js. The two sides run in turn. The result is their ratio, not
the requests per second. "by cpu" is the ratio of processor time per request, which other processes disturb less.
The run takes some minutes.

  --store NAME     memory, sqlite, mariadb or all (default: all)
  --only LIST      workloads or executor, separated by commas (default: all)
  --seconds N      seconds of measurement for each side (default: 10)
  --check          exit with 1 if a ratio is below its goal
  --help           print this help

${workloadNames.map((name) => `  ${name.padEnd(17)}${workloads[name].summary}`).join('\n')}
  PURCHASE         a check of a fuel purchase, which reads and writes, on MariaDB; with its latency

MYSQL_URL is the address of MariaDB (default: mysql://root@127.0.0.1:3306). The benchmark creates its own database there
and drops it at the end.
`

interface Options {
  readonly stores: readonly StoreName[]
  readonly names: readonly WorkloadName[]
  readonly purchases: boolean
  readonly executor: boolean
  readonly seconds: number
  readonly check: boolean
}

function readOptions(): Options | null {
  const text = { type: 'string' } as const
  const flag = { type: 'boolean', default: false } as const
  const { values } = parseArgs({
    options: { store: text, only: text, seconds: text, check: flag, help: flag },
  })
  if (values.help) return null
  const stores = among('--store', values.store === 'all' ? undefined : values.store, storeNames)
  const only = among('--only', values.only, [...workloadNames, 'PURCHASE', 'executor'] as const)
  const seconds = Number(values.seconds ?? 10)
  if (!(seconds > 0 && seconds <= 600)) throw new Error('--seconds must be a number up to 600')
  const names = workloadNames.filter((name) => only.includes(name))
  return {
    stores,
    names,
    purchases: only.includes('PURCHASE') && stores.includes('mariadb'),
    executor: only.includes('executor') && stores.includes('memory'),
    seconds,
    check: values.check,
  }
}

function among<Name extends string>(
  option: string,
  list: string | undefined,
  names: readonly Name[],
): readonly Name[] {
  if (list === undefined) return names
  const words = list.split(',')
  const unknown = words.find((word) => !names.some((name) => name === word))
  if (unknown !== undefined) throw new Error(`${option}: ${unknown} is not one of ${names.join(', ')}`)
  return names.filter((name) => words.includes(name))
}

async function run({ stores, names, purchases, executor, seconds, check }: Options): Promise<void> {
  const all: Comparison[] = []
  const report = (comparison: Comparison) => {
    all.push(comparison)
    console.log(lineOf(comparison))
  }
  // SIGINT and SIGTERM end the run between two rounds. The databases of the run are removed then too.
  const interruption = new AbortController()
  const { signal } = interruption
  for (const name of ['SIGINT', 'SIGTERM'] as const)
    process.once(name, () => interruption.abort(new Error(`interrupted by ${name}`)))
  console.log(heading())
  if (executor) {
    await using store = await openStore('memory')
    await compareExecutors(store, names.length > 0 ? names : workloadNames, { seconds, signal, report })
  }
  for (const name of names.length > 0 ? stores : []) {
    await using store = await openStore(name)
    await compareServers(store, names, { seconds, signal, report })
  }
  if (purchases) {
    await using store = await openStore('mariadb')
    await comparePurchases(store, { seconds, signal, report })
  }
  const missed = all.filter(({ reached }) => !reached)
  console.log(
    missed.length === 0
      ? 'All goals are reached.'
      : `Missed: ${missed.map(({ group, name }) => `${group} ${name}`).join(', ')}.`,
  )
  process.exit(check && missed.length > 0 ? 1 : 0)
}

try {
  const options = readOptions()
  if (options) await run(options)
  else console.log(HELP)
} catch (error) {
  console.error(`bench: ${error instanceof Error ? error.message : String(error)}`)
  process.exit(2)
}
