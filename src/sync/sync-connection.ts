import type { Id } from '../domain/ids.ts'
import { disconnectUnauthorized, CredentialsReplaced } from './ingest/disconnect-unauthorized.ts'
import { type SyncedModel, syncedModels } from '../domain/record-models.ts'
import { ProviderError } from '../providers/provider-error.ts'
import type { ProviderAdapter, Reader } from '../providers/provider.ts'
import { jobs } from '../queue/jobs.ts'
import type { JobRun } from '../queue/queue.ts'
import { JobYielded } from '../queue/priority.ts'
import type { Transaction } from '../storage/database.ts'
import { findById } from '../storage/find-by-id.ts'
import { OUTBOX_TOPIC } from '../storage/outbox.ts'
import { keptFrom } from '../storage/series/series-tables.ts'
import { Connection } from '../subgraphs/connections/connection.ts'
import { openAccount } from '../subgraphs/connections/credentials/open-account.ts'
import { Sync, SyncStatus } from '../subgraphs/connections/syncs/sync.ts'
import { syncTopic } from '../subgraphs/connections/syncs/topics.ts'
import { emitSyncEvents } from './emit-sync-events.ts'
import { checkpointsOf } from './pipeline/checkpoint.ts'
import { computeIfta } from './ifta/compute-ifta.ts'
import { LeaseLost, type SyncLease, takeSyncLease } from './sync-lease.ts'
import { commit, PageBatch } from './pipeline/page-batch.ts'
import { progressIn } from './pipeline/progress.ts'
import { RosterUnavailable } from './pipeline/read-roster.ts'
import { reportScopeMissing, resolveUnmet } from './pipeline/report-issues.ts'
import type { WorkerDeps } from './sync-context.ts'
import type { SyncRun } from './sync-run.ts'
import { syncModel } from './pipeline/sync-model.ts'
import { startTimeSlice } from './schedule/time-slice.ts'
import { syncEnds } from '../platform/instrumentation.ts'

/** Runs a sync from where its last worker left it. */
export async function syncConnection(deps: WorkerDeps, syncId: Id<'sync'>, job: JobRun): Promise<void> {
  const found = await load(deps, syncId)
  if (!found) return
  const { adapter } = found
  const lease = await takeSyncLease(deps, syncId, (tx) =>
    emitSyncEvents(tx, found.sync, 'sync.started', adapter.manifest.name, deps.clock.now()),
  )
  if (!lease) return
  const run = runOf(deps, found, lease, job.signal)
  try {
    const broken = await readModels(deps, run, adapter)
    await computeIfta(run, adapter)
    if (broken) throw broken
    await end(run, SyncStatus.COMPLETED, null, (tx) => resolveUnmet(tx, run))
  } catch (error) {
    if (error instanceof JobYielded) await lease.yieldLease()
    await afterFailure(run, error, job)
  } finally {
    await lease.release()
    run.onEvents()
  }
}

interface Found {
  readonly sync: Sync
  readonly connection: Connection
  readonly adapter: ProviderAdapter
}

async function load({ db, registry }: WorkerDeps, syncId: Id<'sync'>): Promise<Found | null> {
  const sync = await findById(db, Sync, syncId)
  if (!sync || sync.completedAt !== null) return null
  const connection = await findById(db, Connection, sync.connectionId)
  const adapter = connection && registry.find(connection.provider)
  if (!connection || !adapter) throw new Error(`sync ${syncId} has no connection or provider`)
  return { sync, connection, adapter }
}

function runOf(
  { db, clock, notifier, log, queue, retentionDays, timeSliceMs, maxTimeSliceMs }: WorkerDeps,
  found: Found,
  lease: SyncLease,
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
    timeSlice: startTimeSlice({ queue, timeSliceMs, maxTimeSliceMs }, lease),
    keptFrom: keptFrom(retentionDays, clock.now()),
    signal: AbortSignal.any([signal, lease.lost]),
    isConsented: false,
    unreadModels: new Set(),
    onEvents() {
      notifier.notify(OUTBOX_TOPIC)
      notifier.notify(syncTopic(sync.id))
    },
    // An issue of the connection tells its owner, and unreadable records are stored as they came.
    onRefused: (model, error) =>
      log.info(
        { model, reason: error instanceof Error ? error.message : String(error) },
        'unreadable data skipped',
      ),
  }
}

/** Reads them one after another; gives what was answered wrong, if anything was. */
async function readModels(
  deps: WorkerDeps,
  run: SyncRun,
  adapter: ProviderAdapter,
): Promise<ProviderError | undefined> {
  const api = await openAccount(deps, run.connection, run.signal, 'background', (used) => {
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
      const unread = await skipModel(run, model, pages, error)
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
async function skipModel(
  run: SyncRun,
  model: SyncedModel,
  pages: PageBatch,
  error: unknown,
): Promise<ProviderError | undefined> {
  run.unreadModels.add(model)
  if (error instanceof RosterUnavailable) return undefined
  if (!(error instanceof ProviderError)) throw error
  // What was read before it is stored.
  await pages.flush()
  if (error.kind === 'malformed')
    return new ProviderError('malformed', `${model} could not be read: ${error.message}`, { cause: error })
  if (error.kind !== 'scope_missing') throw error
  run.onRefused(model, error)
  await commit(run, undefined, (tx) => reportScopeMissing(tx, run, model))
  return undefined
}

/** False where the fleet has signed in again while the sync ran: it is tried again with what is good now. */
async function disconnectIfRefused(run: SyncRun): Promise<boolean> {
  const refused = 'The provider no longer accepts the credentials.'
  try {
    await end(run, SyncStatus.FAILED, refused, (tx) => disconnectUnauthorized(tx, run))
    return true
  } catch (error) {
    if (error instanceof CredentialsReplaced) return false
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
    await emitSyncEvents(tx, run.sync, `sync.${status}`, providerName, now)
    await also?.(tx)
  })
  lease.ended()
  syncEnds.emit({ provider: connection.provider, outcome: status })
}

/** Revoked credentials end the sync and the connection; what may pass is tried again until the job gives up. */
async function afterFailure(run: SyncRun, error: unknown, job: JobRun): Promise<void> {
  if (error instanceof LeaseLost || run.lease.lost.aborted) return
  if (error instanceof JobYielded || job.signal.aborted) throw error
  if (error instanceof ProviderError && error.kind === 'revoked' && (await disconnectIfRefused(run))) return
  if (job.attempt < jobs['sync-connection'].attempts) throw error
  const reason = error instanceof ProviderError ? error.message : 'An error on our side.'
  await end(run, SyncStatus.FAILED, reason)
  throw error
}
