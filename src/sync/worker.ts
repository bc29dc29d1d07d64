import { OUTCOME_UNKNOWN } from '../subgraphs/connections/credentials/renewal-lease.ts'
import { runRequestedReplays } from '../subgraphs/purchases/replays/run-requested-replays.ts'
import { reconcilePurchases } from '../subgraphs/purchases/reconciliation/reconcile-purchases.ts'
import type { Id } from '../domain/ids.ts'
import type { JobName } from '../queue/jobs.ts'
import type { Handlers } from '../queue/queue.ts'
import type { Database } from '../storage/database.ts'
import { purgeCommitMarkers } from '../storage/mysql/commit-markers.ts'
import { removeAbandonedWrites } from '../storage/in-flight-writes.ts'
import { deleteDueConnectionData } from './retention/delete-connection-data.ts'
import { enqueueDue } from './schedule/enqueue-due.ts'
import { purgeQuarantine } from './quarantine/purge-quarantine.ts'
import { instrumentHandlers } from './job-instrumentation.ts'
import { removeExpiredRows } from './retention/remove-expired-rows.ts'
import { purgeOrphanedDeliveries } from './retention/purge-orphaned-deliveries.ts'
import { pollConnection } from './poll-connection.ts'
import { reconcile } from './schedule/reconcile.ts'
import { removeExpiredPoints } from './retention/series-retention.ts'
import { stampVisibility } from './stamp-visibility.ts'
import type { WorkerDeps } from './sync-context.ts'
import type { Cadence } from './schedule/schedule.ts'
import { syncConnection } from './sync-connection.ts'

/** Intervals in ms of recurring jobs. All workers share one schedule for each job. */
const schedules = {
  'find-due': 1000,
  reconcile: 10_000,
  'delete-connections': 10_000,
  'reconcile-purchases': 60_000,
  'replay-purchases': 10_000,
  'remove-abandoned': 10_000,
} as const satisfies Partial<Record<JobName, number>>

const DECLARE_INTERVAL_MS = 10_000

/** Starts the job handlers and declares the recurring jobs. */
export async function startWorker(deps: WorkerDeps, cadence: Cadence): Promise<{ close(): Promise<void> }> {
  const { db, queue, log } = deps
  if (db.dialect === 'sqlite') await freeLeases(db)
  await queue.work(instrumentHandlers(log, (jobLog) => handlersOf({ ...deps, log: jobLog }, cadence)))
  const logFailure = (error: unknown) => log.error({ err: error }, 'job scheduling failed')
  const declare = () => declareSchedules(deps).catch(logFailure)
  // An unreachable queue does not prevent the start: the timer declares the jobs again.
  await declare()
  await queue.add('retention', {}, { key: 'all' }).catch(logFailure)
  const timer = setInterval(() => void declare(), DECLARE_INTERVAL_MS).unref()
  return {
    async close() {
      clearInterval(timer)
      await queue.close()
    },
  }
}

const handlersOf = (deps: WorkerDeps, cadence: Cadence): Handlers => ({
  'sync-connection': ({ syncId }, job) => syncConnection(deps, syncId as Id<'sync'>, job),
  'poll-latest': ({ connectionId, model }, job) =>
    pollConnection(deps, connectionId as Id<'connection'>, model, job, cadence.pollMs),
  'stamp-visibility': ({ connectionId }, { signal }) =>
    stampVisibility(deps, connectionId as Id<'connection'>, signal),
  'find-due': () => enqueueDue(deps, cadence),
  reconcile: () => reconcile(deps, cadence),
  'delete-connections': async (_payload, { signal }) => {
    await deleteDueConnectionData(deps, signal)
    await purgeOrphanedDeliveries(deps, signal)
  },
  'reconcile-purchases': (_payload, { signal }) => reconcilePurchases(deps, signal),
  'replay-purchases': (_payload, { signal }) => runRequestedReplays(deps, signal),
  'remove-abandoned': async () => {
    await removeAbandonedWrites(deps.db, deps.clock.now())
    await purgeCommitMarkers(deps.db, deps.clock.now())
  },
  retention: async (_payload, { signal }) => {
    await removeExpiredPoints(deps, signal)
    await removeExpiredRows(deps, signal)
    await purgeQuarantine(deps, signal)
  },
})

/** Declares the recurring jobs. It runs repeatedly, because a Redis that loses its data also loses the schedules. */
async function declareSchedules({ queue }: Pick<WorkerDeps, 'queue'>): Promise<void> {
  for (const [name, intervalMs] of Object.entries(schedules) as [keyof typeof schedules, number][])
    await queue.schedule(name, 'all', {}, intervalMs)
  await queue.add('reconcile', {}, { key: 'all' })
}

/**
 * Frees the leases of syncs and credential renewals, and unregisters in-flight writes. An embedded database serves one
 * service at a time, so at its start every earlier holder is dead. A command that runs meanwhile tries its write again.
 * Its renewal may still be running, so the outcome of renewals counts as unknown.
 */
const freeLeases = (db: Database): Promise<unknown> =>
  db.transaction(async (tx) => {
    await tx.run(
      'UPDATE `syncs` SET `leaseOwner` = NULL, `leasedUntil` = NULL WHERE `leasedUntil` IS NOT NULL',
    )
    await tx.run('UPDATE `connections` SET `refreshingUntil` = ? WHERE `refreshingUntil` IS NOT NULL', [
      OUTCOME_UNKNOWN,
    ])
    await tx.run('DELETE FROM `open_writes`')
  })
