import { GaveWay } from '../../queue/urgency.ts'
import type { Lease } from '../lease.ts'
import type { SyncTools } from '../run.ts'

/** What a sync may take at once; most end within it. */
const TURN_MS = 2000

/** A sync's time on its worker: when it is over the sync goes on only while nobody waits. */
export interface Turn {
  /** Throws `GaveWay` where others wait and the turn, of so many milliseconds at least, is over. */
  mayGoOn(leastMs?: number): Promise<void>
}

/** One that has given way before does so again after each page. */
export function turnOf(
  { queue, turnMs = TURN_MS }: Pick<SyncTools, 'queue' | 'turnMs'>,
  { continued }: Pick<Lease, 'continued'>,
): Turn {
  const begun = performance.now()
  const leastTurnMs = continued ? 0 : turnMs
  return {
    async mayGoOn(leastMs = 0) {
      if (performance.now() - begun < Math.max(leastTurnMs, leastMs)) return
      // A queue out of reach has nobody to give way to.
      const waiting = await queue.waiting('sync-connection').catch(() => 0)
      if (waiting > 0) throw new GaveWay('The sync has had its turn')
    },
  }
}
