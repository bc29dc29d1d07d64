import { JobYielded } from '../../queue/priority.ts'
import type { SyncLease } from '../sync-lease.ts'
import type { WorkerDeps } from '../sync-context.ts'

/** Time that a sync may run while other syncs wait. Most syncs end within it. */
const TIME_SLICE_MS = 2000
/** Maximum time slice, a third of the job timeout: the timeout is for stalled syncs, not for large ones. */
const MAX_TIME_SLICE_MS = 600_000

/** Time slice of a sync. After it, the sync continues only while no other sync waits, up to the maximum. */
export interface TimeSlice {
  /** Throws `JobYielded` if other syncs wait and the slice, extended to at least `minMs`, is over. */
  yieldIfExpired(minMs?: number): Promise<void>
}

/**
 * Starts the time slice of a sync. A sync that has yielded before gets a slice of 0: it yields at a check if others
 * wait.
 */
export function startTimeSlice(
  {
    queue,
    timeSliceMs = TIME_SLICE_MS,
    maxTimeSliceMs = MAX_TIME_SLICE_MS,
  }: Pick<WorkerDeps, 'queue' | 'timeSliceMs' | 'maxTimeSliceMs'>,
  { continued }: Pick<SyncLease, 'continued'>,
): TimeSlice {
  const startedAt = performance.now()
  const sliceMs = continued ? 0 : timeSliceMs
  return {
    async yieldIfExpired(minMs = 0) {
      const elapsedMs = performance.now() - startedAt
      if (elapsedMs >= maxTimeSliceMs) throw new JobYielded('The sync has used its maximum time slice')
      if (elapsedMs < Math.max(sliceMs, minMs)) return
      // If the queue is unreachable, the sync continues.
      const waiting = await queue.waiting('sync-connection').catch(() => 0)
      if (waiting > 0) throw new JobYielded('The sync has used its time slice, and other syncs wait')
    },
  }
}
