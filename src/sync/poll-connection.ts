import type { Id } from '../domain/ids.ts'
import { pollLatest } from './ingest/latest/poll-latest.ts'
import type { LatestModel } from '../domain/record-models.ts'
import { ProviderError } from '../providers/provider-error.ts'
import { QueueTimeout } from '../providers/rate-limit/rate-limiter.ts'
import { pollIntervalMs, pollValidityMs } from '../queue/poll-jobs.ts'
import type { JobRun } from '../queue/queue.ts'
import { findById } from '../storage/find-by-id.ts'
import { hasStatusFlag } from '../subgraphs/tables/connection-states.ts'
import { Connection } from '../subgraphs/connections/connection.ts'
import { reportMissingScope, updatePollIssues } from './poll-issues.ts'
import type { WorkerDeps } from './sync-context.ts'
import { deadlineSignal } from '../platform/lifecycle/deadline.ts'

/** Polls a latest-state model by schedule (managed polling), so that callers need not wait for the provider. */
export async function pollConnection(
  deps: WorkerDeps,
  connectionId: Id<'connection'>,
  model: LatestModel,
  { signal }: JobRun,
  defaultIntervalMs = 0,
): Promise<void> {
  const connection = await findById(deps.db, Connection, connectionId)
  if (!connection || !hasStatusFlag(connection.status, 'allowsProviderCalls')) return
  const providerName = deps.registry.find(connection.provider)?.manifest.name ?? ''
  const target = { connection, model, providerName }
  const intervalMs = pollIntervalMs(connection.options, defaultIntervalMs)
  const timeout = deadlineSignal(deps.maxPollMs ?? MAX_POLL_MS)
  let pages = 0
  try {
    const faults = await pollLatest(deps, {
      connection,
      model,
      priority: 'background',
      signal: AbortSignal.any([signal, timeout]),
      validForMs: pollValidityMs(model, intervalMs),
      onPage: () => pages++,
    })
    await updatePollIssues(deps, target, faults)
  } catch (error) {
    // `pollLatest` has disconnected the connection, so there is nothing left to poll.
    if (isProviderError(error, 'invalid_credentials')) return
    if (isProviderError(error, 'scope_missing')) return reportMissingScope(deps, target)
    const isTimedOut = timeout.aborted && error === timeout.reason
    // No failure: the rate limiter had no capacity, or a time-out or rate limit came after some stored pages.
    // The next poll resumes at the stored cursor.
    const resumesLater =
      error instanceof QueueTimeout || (pages > 0 && (isTimedOut || isProviderError(error, 'limited')))
    if (!signal.aborted && resumesLater) return
    throw isTimedOut ? timeoutError(error) : error
  }
}

const timeoutError = (cause: unknown): ProviderError =>
  new ProviderError('unavailable', 'the provider did not answer within the time limit of a poll', {
    cause,
    timedOut: true,
  })

/** Time limit of a poll. It is below the timeout of the job, so that the poll ends before the job is aborted. */
const MAX_POLL_MS = 20_000

const isProviderError = (error: unknown, kind: ProviderError['kind']): boolean =>
  error instanceof ProviderError && error.kind === kind
