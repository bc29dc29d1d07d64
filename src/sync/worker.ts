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
import { removeOldEvents } from './retention/event-retention.ts'
import { purgeOrphanedDeliveries } from './retention/purge-orphaned-deliveries.ts'
import { pollConnection } from './poll-connection.ts'
import { reconcile } from './schedule/reconcile.ts'
import { removeExpiredPoints } from './retention/series-retention.ts'
import type { WorkerDeps } from './sync-context.ts'
import type { Cadence } from './schedule/schedule.ts'
import { syncConnection } from './sync-connection.ts'

/** How often the service looks what is to be done, however many workers it has. */
const schedules = {
  'find-due': 1000,
  reconcile: 10_000,
  'delete-connections': 10_000,
  'remove-abandoned': 10_000,
} as const satisfies Partial<Record<JobName, number>>

const DECLARE_MS = 10_000

/** Runs every job, and declares the jobs that repeat. */
export async function startWorker(deps: WorkerDeps, cadence: Cadence): Promise<{ close(): Promise<void> }> {
  const { db, queue, log } = deps
  if (db.dialect === 'sqlite') await freeLeases(db)
  await queue.work(instrumentHandlers(log, (its) => handlersOf({ ...deps, log: its }, cadence)))
  const tell = (error: unknown) => log.error({ err: error }, 'the queue is out of reach')
  const declare = () => declareSchedules(deps).catch(tell)
  // A queue that is out of reach now is within reach at one of the next looks: no reason not to start.
  await declare()
  await queue.add('retention', {}, { key: 'all' }).catch(tell)
  const timer = setInterval(() => void declare(), DECLARE_MS).unref()
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
  'find-due': () => enqueueDue(deps, cadence),
  reconcile: () => reconcile(deps, cadence),
  'delete-connections': async (_nothing, { signal }) => {
    await deleteDueConnectionData(deps, signal)
    await purgeOrphanedDeliveries(deps, signal)
  },
  'remove-abandoned': async () => {
    await removeAbandonedWrites(deps.db, deps.clock.now())
    await purgeCommitMarkers(deps.db, deps.clock.now())
  },
  retention: async (_nothing, { signal }) => {
    await removeExpiredPoints(deps, signal)
    await removeOldEvents(deps, signal)
    await purgeQuarantine(deps, signal)
  },
})

/** Again and again: a Redis that has lost its data has lost them too. */
async function declareSchedules({ queue }: Pick<WorkerDeps, 'queue'>): Promise<void> {
  for (const [name, everyMs] of Object.entries(schedules) as [keyof typeof schedules, number][])
    await queue.schedule(name, 'all', {}, everyMs)
  await queue.add('reconcile', {}, { key: 'all' })
}

/** An embedded database serves one process, so whoever still holds a sync there, renews a sign-in or writes has died. */
const freeLeases = (db: Database): Promise<unknown> =>
  db.transaction(async (tx) => {
    await tx.run(
      'UPDATE `syncs` SET `leaseOwner` = NULL, `leasedUntil` = NULL WHERE `leasedUntil` IS NOT NULL',
    )
    await tx.run('UPDATE `connections` SET `refreshingUntil` = NULL WHERE `refreshingUntil` IS NOT NULL')
    await tx.run('DELETE FROM `open_writes`')
  })
