import type { Id } from '../domain/ids.ts'
import { disconnectUnauthorized, CredentialsReplaced } from './ingest/disconnect-unauthorized.ts'
import { type SyncedModel, syncedModels } from '../domain/record-models.ts'
import { ProviderError } from '../providers/provider-error.ts'
import type { ProviderAdapter, Reader } from '../providers/provider.ts'
import type { Logger } from '../platform/logging/log.ts'
import { jobPolicies } from '../queue/jobs.ts'
import type { JobRun } from '../queue/queue.ts'
import { JobYielded } from '../queue/priority.ts'
import type { Rows, Transaction } from '../storage/database.ts'
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
import { reportScopeMissing, resolveClearedIssues } from './pipeline/report-issues.ts'
import type { WorkerDeps } from './sync-context.ts'
import type { SyncRun } from './sync-run.ts'
import { syncModel } from './pipeline/sync-model.ts'
import { startTimeSlice } from './schedule/time-slice.ts'
import { syncEnds } from '../platform/instrumentation.ts'

/** Runs a sync. It resumes at the checkpoints that earlier workers of the same sync have stored. */
export async function syncConnection(deps: WorkerDeps, syncId: Id<'sync'>, job: JobRun): Promise<void> {
  const taken = await takeSyncLease(deps, syncId, async (tx, isFirstAttempt) => {
    const found = await loadSync(tx, deps, syncId)
    if (isFirstAttempt)
      await emitSyncEvents(tx, found.sync, 'sync.started', found.adapter.manifest.name, deps.clock.now())
    return found
  })
  if (!taken) return
  const { lease, loaded } = taken
  const { adapter } = loaded
  const run = createRun(deps, loaded, lease, job.signal)
  try {
    const failure = await readModels(deps, run, adapter, isLastAttempt(job))
    await computeIfta(run, adapter)
    if (failure) throw failure
    await endSync(run, SyncStatus.COMPLETED, null, (tx) => resolveClearedIssues(tx, run))
  } catch (error) {
    if (error instanceof JobYielded) await lease.yieldLease()
    await handleFailure(run, error, job)
  } finally {
    await lease.release()
    run.onEvents()
  }
}

interface LoadedSync {
  readonly sync: Sync
  readonly connection: Connection
  readonly adapter: ProviderAdapter
}

async function loadSync(
  db: Rows,
  { registry }: Pick<WorkerDeps, 'registry'>,
  syncId: Id<'sync'>,
): Promise<LoadedSync> {
  const sync = await findById(db, Sync, syncId)
  const connection = sync && (await findById(db, Connection, sync.connectionId))
  const adapter = connection && registry.find(connection.provider)
  if (!adapter) throw new Error(`the connection of sync ${syncId}, or its provider, does not exist`)
  return { sync, connection, adapter }
}

function createRun(deps: WorkerDeps, loaded: LoadedSync, lease: SyncLease, signal: AbortSignal): SyncRun {
  const { db, clock, removalHold, notifier, log, queue, retentionDays, timeSliceMs, maxTimeSliceMs } = deps
  const { sync, connection, adapter } = loaded
  return {
    db,
    clock,
    removalHold,
    sync,
    connection,
    usedCredentialsVersion: '',
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
    onUnreadable: logOncePerReason(log),
  }
}

/** Number of reasons that a sync logs. A reason can contain a part of the record. */
const MAX_REASONS = 20

/**
 * Logs why records cannot be read, once for each model and reason: all records of a list can have the same fault. Level
 * info: no operator needs to act. An issue of the connection informs its owner.
 */
function logOncePerReason(log: Logger): SyncRun['onUnreadable'] {
  const known = new Set<string>()
  return (model, error) => {
    const reason = error instanceof Error ? error.message : String(error)
    const key = `${model} ${reason}`
    if (known.has(key) || known.size === MAX_REASONS) return
    known.add(key)
    log.info({ model, reason }, 'unreadable data skipped')
  }
}

const isLastAttempt = ({ attempt }: JobRun): boolean => attempt >= jobPolicies['sync-connection'].attempts

/**
 * Reads the models one after another. Returns the first error that did not end the reading, if any, and logs the others.
 */
async function readModels(
  deps: WorkerDeps,
  run: SyncRun,
  adapter: ProviderAdapter,
  isLast: boolean,
): Promise<unknown> {
  const api = await openAccount(deps, run.connection, run.signal, 'background', (account) => {
    run.usedCredentialsVersion = account.sealed
    run.isConsented = 'refreshToken' in account.credentials
  })
  const checkpoints = await checkpointsOf(run.db, run.connection.id)
  const pages = new PageBatch(run)
  const models = syncedModels.filter((model) => adapter.readers[model])
  let failure: unknown
  for (const [index, model] of models.entries()) {
    const before = checkpoints.get(model)
    if (before?.syncId === run.sync.id && before.done === 1) continue
    const countPage = progressIn(models.length, index, run.sync.progress)
    try {
      await syncModel(run, model, adapter.readers[model] as Reader<never>, api, before, pages, countPage)
    } catch (error) {
      const modelError = await handleModelError(run, model, pages, error, isLast)
      if (failure && modelError)
        deps.log.warn({ err: modelError, model, syncId: run.sync.id }, 'record type could not be read')
      failure ??= modelError
    }
  }
  await pages.flush()
  return failure
}

/**
 * Handles the error of a model. A missing scope becomes an issue. The error of a malformed answer is returned: the sync
 * reads the other models first, and then fails with this error. An unavailable roster is ignored, because the error of
 * its own model is handled. Any other error is rethrown and ends the reading, until the sync is retried. In the last
 * attempt it is returned too, so that a model that always fails does not stop the models after it.
 */
async function handleModelError(
  run: SyncRun,
  model: SyncedModel,
  pages: PageBatch,
  error: unknown,
  isLast: boolean,
): Promise<unknown> {
  run.unreadModels.add(model)
  if (error instanceof RosterUnavailable) return undefined
  const endsSync = !isLast || endsReading(run, error)
  const isOfProvider = error instanceof ProviderError
  if (!isOfProvider && endsSync) throw error
  // The batch contains pages that were read before the failure.
  await pages.flush()
  if (isOfProvider && error.kind === 'malformed')
    return new ProviderError('malformed', `${model} could not be read: ${error.message}`, { cause: error })
  if (isOfProvider && error.kind === 'scope_missing') {
    run.onUnreadable(model, error)
    await commit(run, undefined, (tx) => reportScopeMissing(tx, run, model))
    return undefined
  }
  if (endsSync) throw error
  return error
}

/** Whether an error concerns the whole sync: no model can be read after it. */
const endsReading = ({ signal }: SyncRun, error: unknown): boolean =>
  signal.aborted ||
  error instanceof JobYielded ||
  error instanceof LeaseLost ||
  (error instanceof ProviderError && error.kind === 'invalid_credentials')

/**
 * Ends the sync and disconnects its connection. Returns false if the credentials were replaced during the
 * sync; the sync is then retried with the new ones.
 */
async function disconnectIfRefused(run: SyncRun): Promise<boolean> {
  const reason = 'The provider no longer accepts the credentials.'
  try {
    await endSync(run, SyncStatus.FAILED, reason, (tx) => disconnectUnauthorized(tx, run))
    return true
  } catch (error) {
    if (error instanceof CredentialsReplaced) return false
    throw error
  }
}

/** Ends the sync under its lease and appends the event. `finish` runs in the same transaction. */
async function endSync(
  run: SyncRun,
  status: SyncStatus,
  failureReason: string | null,
  finish?: (tx: Transaction) => Promise<void>,
) {
  const { connection, providerName, lease } = run
  await run.db.transaction(async (tx) => {
    const now = run.clock.now()
    const progress = status === SyncStatus.COMPLETED ? 100 : run.sync.progress
    const updated = await tx.run(
      `UPDATE \`syncs\` SET \`status\` = ?, \`failureReason\` = ?, \`completedAt\` = ?,
        \`progress\` = CASE WHEN \`progress\` > ? THEN \`progress\` ELSE ? END,
        \`leaseOwner\` = NULL, \`leasedUntil\` = NULL WHERE \`id\` = ? AND \`leaseOwner\` = ?`,
      [status, failureReason, now, progress, progress, run.sync.id, lease.owner],
    )
    if (updated === 0) throw new LeaseLost(`the lease on sync ${run.sync.id} is lost`)
    await emitSyncEvents(tx, run.sync, `sync.${status}`, providerName, now)
    await finish?.(tx)
  })
  lease.stopRenewals()
  syncEnds.emit({ provider: connection.provider, outcome: status })
}

/**
 * Ends or retries a failed sync. If another worker has taken the sync, does nothing. Revoked credentials end the sync
 * and disconnect the connection. Other errors are rethrown, so that the queue retries the job. After the last attempt,
 * the sync also ends as failed.
 */
async function handleFailure(run: SyncRun, error: unknown, job: JobRun): Promise<void> {
  if (error instanceof LeaseLost || run.lease.lost.aborted) return
  if (error instanceof JobYielded || job.signal.aborted) throw error
  if (
    error instanceof ProviderError &&
    error.kind === 'invalid_credentials' &&
    (await disconnectIfRefused(run))
  )
    return
  if (!isLastAttempt(job)) throw error
  const reason =
    error instanceof ProviderError ? error.message : 'Internal error. See the log of the service.'
  await endSync(run, SyncStatus.FAILED, reason)
  throw error
}
