import { setImmediate } from 'node:timers/promises'
import type { Comparison, Measured } from './report.ts'

/** Duration of the measurements, abort signal and reporter of a run. */
export interface Running {
  readonly seconds: number
  readonly signal: AbortSignal
  report(comparison: Comparison): void
}

const ROUNDS = 10
const WARM_UP_SECONDS = 1.5

/**
 * Measures two sides in alternating rounds. They never run at the same time. If another process slows the machine down
 * for some time, it slows down both sides.
 */
export async function inTurn<Side>(
  sides: readonly [Side, Side],
  { seconds, signal }: Running,
  measure: (side: Side, seconds: number) => Promise<Measured>,
): Promise<[Measured[], Measured[]]> {
  const rounds: [Measured[], Measured[]] = [[], []]
  for (const side of sides) await measure(side, WARM_UP_SECONDS)
  for (let nth = 0; nth < ROUNDS; nth++)
    for (const at of nth % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      // Gives a signal handler the chance to run: an execution in this process may never wait for I/O.
      await setImmediate()
      signal.throwIfAborted()
      rounds[at].push(await measure(sides[at], seconds / ROUNDS))
    }
  return rounds
}
