import { proof } from './proof.ts'
import { type Ran, runSyncs, type Sizes } from './support/synced-fleets.ts'

/** Two workers sync many connections nearly twice as fast as one, within the provider's rate limit. */
export const twoWorkers = proof(
  {
    name: 'two-workers',
    description:
      "two workers sync many connections 1.7 times as fast as one, and never exceed the provider's rate limit",
    options: {
      connections: { preset: 60, short: 12, description: 'number of connections' },
      vehicles: { preset: 50, short: 10, description: 'size of each fleet' },
      'latency-ms': { preset: 200, description: 'minimum latency of a provider request' },
      budget: { preset: 10, description: 'requests per second that the provider permits in the second part' },
      'least-ratio': { preset: 1.7, description: 'minimum speed of two workers, relative to one' },
    },
  },
  async ({ connections, vehicles, 'latency-ms': latencyMs, budget, 'least-ratio': leastRatio }) => {
    const sizes = { connections, vehicles, latencyMs }
    console.log(
      `${connections} connections of ${vehicles} vehicles; a request takes ${latencyMs} to ${1.5 * latencyMs} ms`,
    )
    return [...(await provePace(sizes, leastRatio)), ...(await proveBudget(sizes, budget))]
  },
)

/** Rate limit of a sandbox account, as its adapter declares it. */
const ACCOUNT_BUDGET = 100

async function provePace(sizes: Sizes, leastRatio: number): Promise<string[]> {
  const one = await runSyncs({ ...sizes, workers: 1, accountBudget: ACCOUNT_BUDGET })
  printResult('one worker', one, `budget of an account ${ACCOUNT_BUDGET} per second`)
  const two = await runSyncs({ ...sizes, workers: 2, accountBudget: ACCOUNT_BUDGET })
  printResult('two workers', two, `budget of an account ${ACCOUNT_BUDGET} per second`)
  const ratio = two.perSecond / one.perSecond
  console.log(`two workers are ${ratio.toFixed(2)} times as fast as one (goal ${leastRatio})`)
  return [
    ...(ratio >= leastRatio ? [] : [`two workers are ${ratio.toFixed(2)} times as fast, not ${leastRatio}`]),
    ...[one, two].flatMap((ran) => exceeded(ran, ran.largestOfAccount, ACCOUNT_BUDGET)),
    ...(one.vehicles === two.vehicles ? [] : [`${one.vehicles} and ${two.vehicles} vehicles are stored`]),
  ]
}

/** The rate limit determines the duration of the second part, so a part of the connections suffices. */
const PART = 4
/** Share of a rate limit for background work, reached at full load. */
const SHARE = 0.8

async function proveBudget({ connections, ...sizes }: Sizes, budget: number): Promise<string[]> {
  const few = { ...sizes, connections: Math.max(8, Math.ceil(connections / PART)) }
  const ran = await runSyncs({ ...few, workers: 2, totalBudget: budget })
  printResult(`two workers, ${few.connections} connections`, ran, `budget in all ${budget} per second`)
  const binds = ran.largest >= Math.floor(SHARE * budget)
  return [
    ...exceeded(ran, ran.largest, budget),
    ...(binds ? [] : [`the budget does not bind: the largest window has ${ran.largest} of ${budget}`]),
  ]
}

function exceeded({ refused }: Ran, largest: number, budget: number): string[] {
  return [
    ...(largest <= budget ? [] : [`a window of the provider has ${largest} requests of ${budget}`]),
    ...(refused === 0 ? [] : [`the provider refused ${refused} requests`]),
  ]
}

function printResult(who: string, ran: Ran, budget: string): void {
  const cpu = Object.entries(ran.cpuSeconds).map(([name, seconds]) => `${name} ${seconds.toFixed(1)} s`)
  console.log(
    `${who}: ${ran.perSecond.toFixed(2)} syncs/s, all in ${ran.seconds.toFixed(1)} s; ${ran.requests} requests, ${budget}`,
  )
  console.log(
    `  largest window as the provider counts: ${ran.largest} in all, ${ran.largestOfAccount} of an account, ${ran.refused} refused; CPU: ${cpu.join(', ')}`,
  )
}
