import type { Id } from '../ids.ts'
import type { JobName } from '../queue/jobs.ts'
import type { Handlers } from '../queue/queue.ts'
import type { Database } from '../storage/database.ts'
import { forgetCommits } from '../storage/mysql/commits.ts'
import { removeAbandoned } from '../storage/open-writes.ts'
import { dispatcher } from '../webhooks/dispatch.ts'
import { deleteDueConnections } from './removal/delete-data.ts'
import { findDue } from './schedule/find-due.ts'
import { forgetLeftOut } from './left-out/forget-left-out.ts'
import { logged } from './job-log.ts'
import { removeOldEvents } from './removal/log-retention.ts'
import { removeOrphanedDeliveries } from './removal/orphaned-deliveries.ts'
import { pollLatest } from './poll-latest.ts'
import { reconcile } from './schedule/reconcile.ts'
import { removeExpired } from './removal/retention.ts'
import type { SyncTools } from './run.ts'
import type { Cadence } from './schedule/schedule.ts'
import { syncConnection } from './sync-connection.ts'

/** How often the service looks what is to be done, however many workers it has. */
const beats = {
  'find-due': 1000,
  reconcile: 10_000,
  'delete-connections': 10_000,
  'remove-abandoned': 10_000,
} as const satisfies Partial<Record<JobName, number>>

const DECLARE_MS = 10_000

/** Runs every job, places the events, and looks from time to time what is due. */
export async function startWorker(tools: SyncTools, cadence: Cadence): Promise<{ close(): Promise<void> }> {
  const { db, doorbell, queue, log } = tools
  const events = dispatcher(db, doorbell, log)
  if (db.dialect === 'sqlite') await freeLeases(db)
  await queue.work(logged(log, (its) => handlersOf({ ...tools, log: its }, cadence)))
  const tell = (error: unknown) => log.error({ err: error }, 'the queue is out of reach')
  const declare = () => declareBeats(tools).catch(tell)
  // A queue that is out of reach now is within reach at one of the next looks: no reason not to start.
  await declare()
  await queue.add('retention', {}, { key: 'all' }).catch(tell)
  const timer = setInterval(() => void declare(), DECLARE_MS).unref()
  return {
    async close() {
      clearInterval(timer)
      await queue.close()
      await events.close()
    },
  }
}

const handlersOf = (tools: SyncTools, cadence: Cadence): Handlers => ({
  'sync-connection': ({ syncId }, job) => syncConnection(tools, syncId as Id<'sync'>, job),
  'poll-latest': ({ connectionId, model }, job) =>
    pollLatest(tools, connectionId as Id<'connection'>, model, job, cadence.pollMs),
  'find-due': () => findDue(tools, cadence),
  reconcile: () => reconcile(tools, cadence),
  'delete-connections': async (_nothing, { signal }) => {
    await deleteDueConnections(tools, signal)
    await removeOrphanedDeliveries(tools, signal)
  },
  'remove-abandoned': async () => {
    await removeAbandoned(tools.db, tools.clock.now())
    await forgetCommits(tools.db, tools.clock.now())
  },
  retention: async (_nothing, { signal }) => {
    await removeExpired(tools, signal)
    await removeOldEvents(tools, signal)
    await forgetLeftOut(tools, signal)
  },
})

/** Again and again: a Redis that has lost its data has lost them too. */
async function declareBeats({ queue }: Pick<SyncTools, 'queue'>): Promise<void> {
  for (const [name, everyMs] of Object.entries(beats) as [keyof typeof beats, number][])
    await queue.every(name, 'all', {}, everyMs)
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
