import { runClocked } from '../support/clocked-program.ts'
import { proofOnStores } from '../proof.ts'
import type { Store } from '../support/service-process.ts'
import { timeLibrary } from './jumping-clock.ts'
import { deviations, RETRY_DELAYS, waitsOf } from './schedule.ts'
import type { WalkKind } from './walk-program.ts'
import type { WalkResult } from './walk.ts'

/**
 * Checks ten attempts within 75 hours and 35 minutes for a message that always fails, with and without worker
 * kills.
 */
export const retrySchedule = proofOnStores(
  {
    name: 'retry-schedule',
    description:
      'the whole retry schedule of a message that fails, with a clock that jumps; needs `faketime`',
    options: {},
  },
  async (store) => {
    const library = timeLibrary()
    if (library) return prove(store, library)
    return ['libfaketime is not installed: on Debian and Ubuntu, apt-get install faketime']
  },
)

const NAMES: Readonly<Record<WalkKind, string>> = {
  steady: 'one worker',
  killed: 'killed workers',
  failing: 'failing endpoint',
}

async function prove(store: Store, library: string): Promise<string[]> {
  const kinds: readonly WalkKind[] = ['steady', 'killed', 'failing']
  const [steady, killed, failing] = (await Promise.all(
    kinds.map((kind) => walkUnder(library, store, kind)),
  )) as [WalkResult, WalkResult, WalkResult]
  const waits = [steady, killed].map(({ receivedAt }) => waitsOf(receivedAt))
  console.log(tableOf(store, waits))
  if (failing.description) console.log(`${store}: ${failing.description}`)
  const failures = [
    [...steady.failures, ...deviations(waits[0] ?? [])],
    [...killed.failures, ...deviations(waits[1] ?? [])],
    failing.failures,
  ]
  return failures.flatMap((found, index) =>
    found.map((failure) => `${store}, ${NAMES[kinds[index] as WalkKind]}: ${failure}`),
  )
}

/** Runs a walk in a separate process with a clock of its own. */
async function walkUnder(library: string, store: Store, kind: WalkKind): Promise<WalkResult> {
  const result = await runClocked<WalkResult>(library, 'retry-schedule/walk-program', [store, kind])
  return typeof result === 'string' ? failedWalk(result) : result
}

const failedWalk = (failure: string): WalkResult => ({ receivedAt: [], failures: [failure] })

function tableOf(store: Store, waits: readonly (readonly number[])[]): string {
  const all = (seconds: readonly number[]) => seconds.reduce((sum, one) => sum + one, 0)
  const row = (name: string, seconds: readonly (number | undefined)[]) =>
    name.padEnd(22) + seconds.map((one) => (one === undefined ? '-' : one.toFixed(0)).padStart(18)).join('')
  return [
    `${store}: waits in s`.padEnd(22) +
      ['schedule', NAMES.steady, NAMES.killed].map((name) => name.padStart(18)).join(''),
    ...RETRY_DELAYS.map((planned, at) =>
      row(`  after attempt ${at + 1}`, [planned, ...waits.map((one) => one[at])]),
    ),
    row('  total', [all(RETRY_DELAYS), ...waits.map(all)]),
  ].join('\n')
}
