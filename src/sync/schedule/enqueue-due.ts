import { pollIntervalMs, enqueueDuePolls } from '../../queue/poll-jobs.ts'
import type { Transaction } from '../../storage/database.ts'
import type { WorkerDeps } from '../sync-context.ts'
import { nextJitteredTime, nextRunAt } from './jitter.ts'
import { enqueueNotifiedPolls, enqueueNotifiedSyncs } from './enqueue-notified.ts'
import { requestScheduledSync } from './request-scheduled-sync.ts'
import { type Cadence, type DueSchedule, readDue, moveDueTimes, claimDueRun } from './schedule.ts'

/** Limits of queued jobs. Further due connections wait in the table `schedules`; the longest due comes first. */
const MAX_SYNCS = 256
const MAX_POLLS = 256
/** Limit of queued polls while syncs wait. All connections are then polled less often. */
const MAX_POLLS_WHILE_SYNCS_WAIT = 16
/** Maximum share of the free slots for polls that connections with notifications from the provider use. */
const NOTIFIED_SHARE = 1 / 2
const BATCH_SIZE = 4

/** Enqueues the syncs and polls that are due, up to the limits of the queue. */
export async function enqueueDue(deps: WorkerDeps, cadence: Cadence): Promise<void> {
  const { queue } = deps
  const waitingSyncs = await queue.waiting('sync-connection')
  const freeSyncSlots = MAX_SYNCS - waitingSyncs
  const dueSyncs = await readDue(deps, 'nextSyncAt', freeSyncSlots)
  for (let start = 0; start < dueSyncs.length; start += BATCH_SIZE)
    await Promise.all(dueSyncs.slice(start, start + BATCH_SIZE).map((due) => requestDue(deps, cadence, due)))

  await enqueueNotifiedSyncs(deps, freeSyncSlots - dueSyncs.length)

  const waitingPolls = await queue.waiting('poll-latest')
  const freePollSlots = (waitingSyncs > 0 ? MAX_POLLS_WHILE_SYNCS_WAIT : MAX_POLLS) - waitingPolls
  const notified = await enqueueNotifiedPolls(deps, freePollSlots * NOTIFIED_SHARE)
  await pollDue(deps, cadence, await readDue(deps, 'nextPollAt', freePollSlots - notified))
}

/**
 * Requests a due sync. The request and the next due time commit together, so that no sync is missed and none is
 * requested twice. If the request is refused, only the next due time is set.
 */
async function requestDue(deps: WorkerDeps, { syncMs }: Cadence, due: DueSchedule): Promise<void> {
  const { db, clock } = deps
  const next = nextRunAt(due.id, clock.now(), syncMs)
  const claim = (tx: Transaction) => claimDueRun(tx, 'nextSyncAt', due, next)
  if ((await requestScheduledSync(deps, due, claim)) === 'refused') await db.transaction(claim)
}

/** Enqueues due polls. Missed polls are skipped: the next due time is again one of the jittered interval. */
async function pollDue(
  deps: WorkerDeps,
  { pollMs }: Cadence,
  dueSchedules: readonly DueSchedule[],
): Promise<void> {
  const { db, queue, clock } = deps
  if (dueSchedules.length === 0) return
  const now = clock.now()
  const duePolls = dueSchedules.map((due) => ({ due, intervalMs: pollIntervalMs(due.options, pollMs) }))
  const nextTimes = duePolls.map(
    ({ due, intervalMs }) => [due.id, nextJitteredTime(due.id, now, intervalMs)] as const,
  )
  await db.transaction((tx) => moveDueTimes(tx, 'nextPollAt', nextTimes))
  for (let start = 0; start < duePolls.length; start += BATCH_SIZE)
    await Promise.all(
      duePolls
        .slice(start, start + BATCH_SIZE)
        .map(({ due, intervalMs }) => enqueueDuePolls(queue, due.id, due.dueAt - intervalMs, now)),
    )
}
