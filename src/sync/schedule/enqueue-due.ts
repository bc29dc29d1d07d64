import { pollIntervalMs, enqueueDuePolls } from '../../queue/poll-jobs.ts'
import type { Transaction } from '../../storage/database.ts'
import type { WorkerDeps } from '../sync-context.ts'
import { nextJitteredTime, nextRunAt } from './jitter.ts'
import { enqueueNotifiedPolls, enqueueNotifiedSyncs } from './enqueue-notified.ts'
import { requestScheduledSync } from './request-scheduled-sync.ts'
import { type Cadence, type Due, dueBy, moveDueTimes, claimDue } from './schedule.ts'

/** Of what is due, this much is in the queue at once; the rest waits in its rows, who is due longest first. */
const MAX_SYNCS = 256
const MAX_POLLS = 256
/** While syncs have to wait, polling gets by with less: each connection is polled more seldom then. */
const MAX_POLLS_BESIDE_SYNCS = 16
/** Those that providers have hinted at take half of the room for polls at most. */
const HINTED = 1 / 2
const AT_ONCE = 4

/** What the schedules say is due goes into the queue, as much as it can take. */
export async function enqueueDue(deps: WorkerDeps, cadence: Cadence): Promise<void> {
  const { queue } = deps
  const syncs = await queue.waiting('sync-connection')
  const room = MAX_SYNCS - syncs
  const dueSyncs = await dueBy(deps, 'nextSyncAt', room)
  for (let at = 0; at < dueSyncs.length; at += AT_ONCE)
    await Promise.all(dueSyncs.slice(at, at + AT_ONCE).map((due) => requestDue(deps, cadence, due)))

  await enqueueNotifiedSyncs(deps, room - dueSyncs.length)

  const polls = await queue.waiting('poll-latest')
  const most = (syncs > 0 ? MAX_POLLS_BESIDE_SYNCS : MAX_POLLS) - polls
  const hinted = await enqueueNotifiedPolls(deps, most * HINTED)
  await pollDue(deps, cadence, await dueBy(deps, 'nextPollAt', most - hinted))
}

/** A sync and the turn after it are written together: no turn is missed, and none comes twice. */
async function requestDue(deps: WorkerDeps, { syncMs }: Cadence, due: Due): Promise<void> {
  const { db, clock } = deps
  const next = nextRunAt(due.id, clock.now(), syncMs)
  const take = (tx: Transaction) => claimDue(tx, 'nextSyncAt', due, next)
  if ((await requestScheduledSync(deps, due, take)) === 'refused') await db.transaction(take)
}

/** A poll that is late is not made up for: the next one is on the beat again. */
async function pollDue(deps: WorkerDeps, { pollMs }: Cadence, dues: readonly Due[]): Promise<void> {
  const { db, queue, clock } = deps
  if (dues.length === 0) return
  const now = clock.now()
  const turns = dues.map((due) => ({ due, everyMs: pollIntervalMs(due.options, pollMs) }))
  const nexts = turns.map(({ due, everyMs }) => [due.id, nextJitteredTime(due.id, now, everyMs)] as const)
  await db.transaction((tx) => moveDueTimes(tx, 'nextPollAt', nexts))
  for (let at = 0; at < turns.length; at += AT_ONCE)
    await Promise.all(
      turns
        .slice(at, at + AT_ONCE)
        .map(({ due, everyMs }) => enqueueDuePolls(queue, due.id, due.dueAt - everyMs, now)),
    )
}
