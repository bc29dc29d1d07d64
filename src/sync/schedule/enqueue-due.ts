import { pollIntervalMs, enqueueDuePolls } from '../../queue/poll-jobs.ts'
import type { Transaction } from '../../storage/database.ts'
import type { WorkerDeps } from '../sync-context.ts'
import { nextJitteredTime, nextRunAt } from './jitter.ts'
import { enqueueNotifiedPolls, enqueueNotifiedSyncs } from './enqueue-notified.ts'
import { requestScheduledSync } from './request-scheduled-sync.ts'
import { type Cadence, type DueSchedule, readDue, moveDueTimes, claimDueRun } from './schedule.ts'

/** Limits of queued jobs. Further due connections wait in the `schedules` table, longest due first. */
const MAX_SYNCS = 256
const MAX_POLLS = 256
/** Limit of queued polls while syncs wait. Connections are then polled less often. */
const MAX_POLLS_WHILE_SYNCS_WAIT = 16
/** Maximum share of the queued polls that provider notifications may use. */
const NOTIFIED_SHARE = 1 / 2
const BATCH_SIZE = 4

/** Enqueues the syncs and polls that are due, up to the limits of the queue. */
export async function enqueueDue(deps: WorkerDeps, cadence: Cadence): Promise<void> {
  const { queue } = deps
  const syncs = await queue.waiting('sync-connection')
  const free = MAX_SYNCS - syncs
  const dueSyncs = await readDue(deps, 'nextSyncAt', free)
  for (let at = 0; at < dueSyncs.length; at += BATCH_SIZE)
    await Promise.all(dueSyncs.slice(at, at + BATCH_SIZE).map((due) => requestDue(deps, cadence, due)))

  await enqueueNotifiedSyncs(deps, free - dueSyncs.length)

  const polls = await queue.waiting('poll-latest')
  const limit = (syncs > 0 ? MAX_POLLS_WHILE_SYNCS_WAIT : MAX_POLLS) - polls
  const notified = await enqueueNotifiedPolls(deps, limit * NOTIFIED_SHARE)
  await pollDue(deps, cadence, await readDue(deps, 'nextPollAt', limit - notified))
}

/**
 * Requests a due sync. The request and the next due time commit together, so that no run is missed or
 * doubled. If the request is refused, only the due time moves on.
 */
async function requestDue(deps: WorkerDeps, { syncMs }: Cadence, due: DueSchedule): Promise<void> {
  const { db, clock } = deps
  const next = nextRunAt(due.id, clock.now(), syncMs)
  const claim = (tx: Transaction) => claimDueRun(tx, 'nextSyncAt', due, next)
  if ((await requestScheduledSync(deps, due, claim)) === 'refused') await db.transaction(claim)
}

/**
 * Enqueues due polls. Missed polls are not made up for: the next due time is again on the jittered interval.
 */
async function pollDue(deps: WorkerDeps, { pollMs }: Cadence, dues: readonly DueSchedule[]): Promise<void> {
  const { db, queue, clock } = deps
  if (dues.length === 0) return
  const now = clock.now()
  const duePolls = dues.map((due) => ({ due, intervalMs: pollIntervalMs(due.options, pollMs) }))
  const nexts = duePolls.map(
    ({ due, intervalMs }) => [due.id, nextJitteredTime(due.id, now, intervalMs)] as const,
  )
  await db.transaction((tx) => moveDueTimes(tx, 'nextPollAt', nexts))
  for (let at = 0; at < duePolls.length; at += BATCH_SIZE)
    await Promise.all(
      duePolls
        .slice(at, at + BATCH_SIZE)
        .map(({ due, intervalMs }) => enqueueDuePolls(queue, due.id, due.dueAt - intervalMs, now)),
    )
}
