import type { Id } from '../ids.ts'
import type { Handlers } from '../queue/queue.ts'
import type { Database } from '../storage/database.ts'
import { dispatcher } from '../webhooks/dispatch.ts'
import { pollLatest } from './poll-latest.ts'
import { type Cadence, reconcile } from './reconcile.ts'
import type { SyncTools } from './run.ts'
import { syncConnection } from './sync-connection.ts'

const RECONCILE_MS = 10_000

/** Runs every job, places the events, and looks from time to time what is due. */
export async function startWorker(tools: SyncTools, cadence: Cadence): Promise<{ close(): Promise<void> }> {
  const { db, doorbell, queue, log } = tools
  const events = dispatcher(db, doorbell, log)
  const handlers: Handlers = {
    'sync-connection': ({ syncId }, job) => syncConnection(tools, syncId as Id<'sync'>, job),
    'poll-latest': ({ connectionId, model }, job) =>
      pollLatest(tools, connectionId as Id<'connection'>, model, job),
    reconcile: () => reconcile(tools, cadence),
  }
  if (db.dialect === 'sqlite') await freeLeases(db)
  await queue.work(handlers)
  const lookForWork = () => queue.add('reconcile', {}, { key: 'all' })
  await lookForWork()
  const timer = setInterval(
    () =>
      void lookForWork().catch((error: unknown) => log.error({ err: error }, 'the queue is out of reach')),
    RECONCILE_MS,
  ).unref()
  return {
    async close() {
      clearInterval(timer)
      await queue.close()
      await events.close()
    },
  }
}

/** An embedded database serves one process, so whoever still holds a sync there or writes has died. */
const freeLeases = (db: Database): Promise<unknown> =>
  db.transaction(async (tx) => {
    await tx.run(
      'UPDATE `syncs` SET `leaseOwner` = NULL, `leasedUntil` = NULL WHERE `leasedUntil` IS NOT NULL',
    )
    await tx.run('DELETE FROM `open_writes`')
  })
