import { runClocked } from '../support/clocked-program.ts'
import { proofOnStores } from '../proof.ts'
import { timeLibrary } from '../retry-schedule/jumping-clock.ts'
import type { WalkResult } from './walk.ts'

/** Searches a running service for data of a fleet after its deletion. */
export const deletion = proofOnStores(
  {
    name: 'deletion',
    description:
      'a running service keeps nothing of a deleted fleet, with a clock that jumps; needs `faketime`',
    options: {
      vehicles: { preset: 40, short: 10, description: 'size of the fleet' },
      days: { preset: 1, description: 'days of its history that are read' },
    },
  },
  async (store, { vehicles, days }) => {
    const library = timeLibrary()
    if (!library) return ['libfaketime is not installed: on Debian and Ubuntu, apt-get install faketime']
    const args = [store, String(vehicles), String(days)]
    const result = await runClocked<WalkResult>(library, 'deletion/walk-program', args)
    if (typeof result === 'string') return [`${store}: ${result}`]
    for (const line of result.description) console.log(`${store}: ${line}`)
    return result.failures.map((failure) => `${store}: ${failure}`)
  },
)
