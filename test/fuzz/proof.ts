import { proofOnStores } from '../prove/proof.ts'
import type { Size } from '../support/deployment-sizes.ts'
import { startFuzzed } from './fuzzed-service.ts'
import { fuzzGraph } from './graph-fuzz.ts'
import { type Findings, fuzzRest } from './rest-fuzz.ts'
import { agent } from './wire.ts'

export const fuzz = proofOnStores(
  {
    name: 'fuzz',
    description: 'nearly valid requests and generated queries: no 5xx, no hang, no write',
    options: {
      runs: {
        preset: 5000,
        short: 300,
        description: 'number of REST requests; half as many GraphQL operations',
      },
      seed: { preset: 1, description: 'the same seed sends the same requests' },
    },
  },
  async (store, { runs, seed }) => {
    const failures = await fuzzed(store === 'sqlite' ? 'embedded' : 'standard', { runs, seed })
    agent.destroy()
    return failures
  },
)

/** Fuzzes a service. Every failure contains the seed. */
export async function fuzzed(size: Size, { runs, seed }: { runs: number; seed: number }): Promise<string[]> {
  await using service = await startFuzzed(size)
  const rest = await fuzzRest(service, { seed, runs })
  const graph = await fuzzGraph(service, { seed, runs: Math.ceil(runs / 2) })
  const failures = [...rest.failures, ...graph.failures].map((failure) => `${size}, seed ${seed}: ${failure}`)
  report(size, 'REST', rest)
  report(size, 'GraphQL', graph)
  if (failures.length > 0) process.stdout.write(`${logged(service.service.output()).slice(-6000)}\n`)
  return failures
}

const report = (size: Size, name: string, { requested, statuses }: Findings): void =>
  void process.stdout.write(`${size}: ${name}, ${requested} requests; ${JSON.stringify(statuses)}\n`)

/** Returns the log of the service, without the keys that it prints at its start. */
const logged = (output: string): string =>
  output
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .join('\n')
