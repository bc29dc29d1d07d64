import { GaveWay } from '../../queue/urgency.ts'
import type { Lease } from '../lease.ts'
import type { SyncTools } from '../run.ts'

/** What a sync may take at once; most end within it. */
const TURN_MS = 2000
/** A third of what an attempt may take: its limit is for a sync that stands still, not for one that has much to read. */
const LONGEST_TURN_MS = 600_000

/** A sync's time on its worker: when it is over the sync goes on only while nobody waits, and not for ever. */
export interface Turn {
  /** Throws `GaveWay` where others wait and the turn, of so many milliseconds at least, is over. */
  mayGoOn(leastMs?: number): Promise<void>
}

/** One that has given way before does so again after each page. */
export function turnOf(
  {
    queue,
    turnMs = TURN_MS,
    longestTurnMs = LONGEST_TURN_MS,
  }: Pick<SyncTools, 'queue' | 'turnMs' | 'longestTurnMs'>,
  { continued }: Pick<Lease, 'continued'>,
): Turn {
  const begun = performance.now()
  const leastTurnMs = continued ? 0 : turnMs
  return {
    async mayGoOn(leastMs = 0) {
      const takenMs = performance.now() - begun
      if (takenMs >= longestTurnMs) throw new GaveWay('The sync goes on in another turn')
      if (takenMs < Math.max(leastTurnMs, leastMs)) return
      // A queue out of reach has nobody to give way to.
      const waiting = await queue.waiting('sync-connection').catch(() => 0)
      if (waiting > 0) throw new GaveWay('The sync has had its turn')
    },
  }
}
