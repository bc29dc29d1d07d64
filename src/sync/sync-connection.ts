import type { Id } from '../ids.ts'
import { disconnectRefused, SignedInSince } from '../intake/disconnect-refused.ts'
import { type SyncedModel, syncedModels } from '../models.ts'
import { ProviderError } from '../providers/api.ts'
import type { ProviderAdapter, Reader } from '../providers/provider.ts'
import { jobs } from '../queue/jobs.ts'
import type { JobRun } from '../queue/queue.ts'
import { GaveWay } from '../queue/urgency.ts'
import type { Transaction } from '../storage/database.ts'
import { one } from '../storage/one.ts'
import { OUTBOX_TOPIC } from '../storage/outbox.ts'
import { keptFrom } from '../storage/series/series-tables.ts'
import { Connection } from '../subgraphs/connections/connection.ts'
import { openAccount } from '../subgraphs/connections/credentials/open-account.ts'
import { Sync, SyncStatus } from '../subgraphs/connections/syncs/sync.ts'
import { syncTopic } from '../subgraphs/connections/syncs/topics.ts'
import { announceSync } from './announce-sync.ts'
import { checkpointsOf } from './reading/checkpoint.ts'
import { computeIfta } from './ifta/compute-ifta.ts'
import { LeaseLost, type Lease, takeLease } from './lease.ts'
import { commit, PageBatch } from './reading/page-batch.ts'
import { progressIn } from './reading/progress.ts'
import { RosterUnread } from './reading/read-roster.ts'
import { reportScopeMissing, resolveUnmet } from './reading/report-issues.ts'
import type { SyncRun, SyncTools } from './run.ts'
import { syncModel } from './reading/sync-model.ts'
import { turnOf } from './schedule/turn.ts'
import { syncEnds } from '../watched.ts'

/** Runs a sync from where its last worker left it. */
export async function syncConnection(tools: SyncTools, syncId: Id<'sync'>, job: JobRun): Promise<void> {
  const found = await load(tools, syncId)
  if (!found) return
  const { adapter } = found
  const lease = await takeLease(tools, syncId, (tx) =>
    announceSync(tx, found.sync, 'sync.started', adapter.manifest.name, tools.clock.now()),
  )
  if (!lease) return
  const run = runOf(tools, found, lease, job.signal)
  try {
    const broken = await readModels(tools, run, adapter)
    await computeIfta(run, adapter)
    if (broken) throw broken
    await end(run, SyncStatus.COMPLETED, null, (tx) => resolveUnmet(tx, run))
  } catch (error) {
    if (error instanceof GaveWay) await lease.giveWay()
    await afterFailure(run, error, job)
  } finally {
    await lease.release()
    run.announced()
  }
}

interface Found {
  readonly sync: Sync
  readonly connection: Connection
  readonly adapter: ProviderAdapter
}

async function load({ db, registry }: SyncTools, syncId: Id<'sync'>): Promise<Found | null> {
  const sync = await one(db, Sync, syncId)
  if (!sync || sync.completedAt !== null) return null
  const connection = await one(db, Connection, sync.connectionId)
  const adapter = connection && registry.find(connection.provider)
  if (!connection || !adapter) throw new Error(`sync ${syncId} has no connection or provider`)
  return { sync, connection, adapter }
}

function runOf(
  { db, clock, doorbell, log, queue, retentionDays, turnMs, longestTurnMs }: SyncTools,
  found: Found,
  lease: Lease,
  signal: AbortSignal,
): SyncRun {
  const { sync, connection, adapter } = found
  return {
    db,
    clock,
    sync,
    connection,
    signedInWith: '',
    providerName: adapter.manifest.name,
    lease,
    turn: turnOf({ queue, turnMs, longestTurnMs }, lease),
    keptFrom: keptFrom(retentionDays, clock.now()),
    signal: AbortSignal.any([signal, lease.lost]),
    isConsented: false,
    unread: new Set(),
    announced() {
      doorbell.ring(OUTBOX_TOPIC)
      doorbell.ring(syncTopic(sync.id))
    },
    refused: (model, err) => log.warn({ err, model }, 'a record was left out'),
  }
}

/** Reads them one after another; gives what was answered wrong, if anything was. */
async function readModels(
  tools: SyncTools,
  run: SyncRun,
  adapter: ProviderAdapter,
): Promise<ProviderError | undefined> {
  const api = await openAccount(tools, run.connection, run.signal, 'background', (used) => {
    run.signedInWith = used.sealed
    run.isConsented = 'refreshToken' in used.credentials
  })
  const checkpoints = await checkpointsOf(run.db, run.connection.id)
  const pages = new PageBatch(run)
  const models = syncedModels.filter((model) => adapter.readers[model])
  let broken: ProviderError | undefined
  for (const [index, model] of models.entries()) {
    const before = checkpoints.get(model)
    if (before?.syncId === run.sync.id && before.done === 1) continue
    const onPage = progressIn(models.length, index, run.sync.progress)
    try {
      await syncModel(run, model, adapter.readers[model] as Reader<never>, api, before, pages, onPage)
    } catch (error) {
      const unread = await passedOver(run, model, pages, error)
      broken ??= unread
    }
  }
  await pages.flush()
  return broken
}

/**
 * What the account may not read is an issue. What is answered wrong is given, to fail the sync once the models after it
 * have been read. Whatever else went wrong ends the reading here.
 */
async function passedOver(
  run: SyncRun,
  model: SyncedModel,
  pages: PageBatch,
  error: unknown,
): Promise<ProviderError | undefined> {
  run.unread.add(model)
  if (error instanceof RosterUnread) return undefined
  if (!(error instanceof ProviderError)) throw error
  // What was read before it is stored.
  await pages.flush()
  if (error.kind === 'malformed')
    return new ProviderError('malformed', `${model} could not be read: ${error.message}`, { cause: error })
  if (error.kind !== 'scope_missing') throw error
  run.refused(model, error)
  await commit(run, undefined, (tx) => reportScopeMissing(tx, run, model))
  return undefined
}

/** False where the fleet has signed in again while the sync ran: it is tried again with what is good now. */
async function endsRefused(run: SyncRun): Promise<boolean> {
  const refused = 'The provider no longer accepts the credentials.'
  try {
    await end(run, SyncStatus.FAILED, refused, (tx) => disconnectRefused(tx, run))
    return true
  } catch (error) {
    if (error instanceof SignedInSince) return false
    throw error
  }
}

async function end(
  run: SyncRun,
  status: SyncStatus,
  failureReason: string | null,
  also?: (tx: Transaction) => Promise<void>,
) {
  const { connection, providerName, lease } = run
  await run.db.transaction(async (tx) => {
    const now = run.clock.now()
    const progress = status === SyncStatus.COMPLETED ? 100 : run.sync.progress
    const mine = await tx.run(
      `UPDATE \`syncs\` SET \`status\` = ?, \`failureReason\` = ?, \`completedAt\` = ?,
        \`progress\` = CASE WHEN \`progress\` > ? THEN \`progress\` ELSE ? END,
        \`leaseOwner\` = NULL, \`leasedUntil\` = NULL WHERE \`id\` = ? AND \`leaseOwner\` = ?`,
      [status, failureReason, now, progress, progress, run.sync.id, lease.owner],
    )
    if (mine === 0) throw new LeaseLost(`another worker has sync ${run.sync.id}`)
    await announceSync(tx, run.sync, `sync.${status}`, providerName, now)
    await also?.(tx)
  })
  lease.ended()
  syncEnds.tell({ provider: connection.provider, outcome: status })
}

/** Revoked credentials end the sync and the connection; what may pass is tried again until the job gives up. */
async function afterFailure(run: SyncRun, error: unknown, job: JobRun): Promise<void> {
  if (error instanceof LeaseLost || run.lease.lost.aborted) return
  if (error instanceof GaveWay || job.signal.aborted) throw error
  if (error instanceof ProviderError && error.kind === 'revoked' && (await endsRefused(run))) return
  if (job.attempt < jobs['sync-connection'].attempts) throw error
  const reason = error instanceof ProviderError ? error.message : 'An error on our side.'
  await end(run, SyncStatus.FAILED, reason)
  throw error
}
