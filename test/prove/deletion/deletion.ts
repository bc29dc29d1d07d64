import { runClocked } from '../clocked-program.ts'
import { proofOnStores } from '../proof.ts'
import { timeLibrary } from '../retry-schedule/jumping-clock.ts'
import type { Walked } from './walk.ts'

/** What is left of a fleet, anywhere in a running service, once its deletion has ended. */
export const deletion = proofOnStores(
  {
    name: 'deletion',
    says: 'nothing of a deleted fleet is left in a running service, by a clock that jumps; needs `faketime`',
    options: {
      vehicles: { preset: 40, short: 10, says: 'the size of the fleet' },
      days: { preset: 1, says: 'how much of its history is read' },
    },
  },
  async (store, { vehicles, days }) => {
    const library = timeLibrary()
    if (!library) return ['libfaketime is not installed: on Debian and Ubuntu, apt-get install faketime']
    const args = [store, String(vehicles), String(days)]
    const walked = await runClocked<Walked>(library, 'deletion/walk-program', args)
    if (typeof walked === 'string') return [`${store}: ${walked}`]
    for (const line of walked.says) console.log(`${store}: ${line}`)
    return walked.failures.map((failure) => `${store}: ${failure}`)
  },
)
