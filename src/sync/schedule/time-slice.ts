import { JobYielded } from '../../queue/priority.ts'
import type { SyncLease } from '../sync-lease.ts'
import type { WorkerDeps } from '../sync-context.ts'

/** What a sync may take at once; most end within it. */
const TIME_SLICE_MS = 2000
/** A third of what an attempt may take: its limit is for a sync that stands still, not for one that has much to read. */
const MAX_TIME_SLICE_MS = 600_000

/** A sync's time on its worker: when it is over the sync goes on only while nobody waits, and not for ever. */
export interface TimeSlice {
  /** Throws `JobYielded` where others wait and the turn, of so many milliseconds at least, is over. */
  mayGoOn(leastMs?: number): Promise<void>
}

/** One that has given way before does so again after each page. */
export function startTimeSlice(
  {
    queue,
    timeSliceMs = TIME_SLICE_MS,
    maxTimeSliceMs = MAX_TIME_SLICE_MS,
  }: Pick<WorkerDeps, 'queue' | 'timeSliceMs' | 'maxTimeSliceMs'>,
  { continued }: Pick<SyncLease, 'continued'>,
): TimeSlice {
  const begun = performance.now()
  const leastTurnMs = continued ? 0 : timeSliceMs
  return {
    async mayGoOn(leastMs = 0) {
      const takenMs = performance.now() - begun
      if (takenMs >= maxTimeSliceMs) throw new JobYielded('The sync goes on in another turn')
      if (takenMs < Math.max(leastTurnMs, leastMs)) return
      // A queue out of reach has nobody to give way to.
      const waiting = await queue.waiting('sync-connection').catch(() => 0)
      if (waiting > 0) throw new JobYielded('The sync has had its turn')
    },
  }
}
