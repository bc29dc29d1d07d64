import type { Id } from '../domain/ids.ts'
import { pollLatest } from './ingest/poll-latest.ts'
import type { LatestModel } from '../domain/record-models.ts'
import { ProviderError } from '../providers/provider-error.ts'
import { QueueTimeout } from '../providers/rate-limit/rate-limiter.ts'
import { pollIntervalMs, pollValidityMs } from '../queue/poll-jobs.ts'
import type { JobRun } from '../queue/queue.ts'
import { findById } from '../storage/find-by-id.ts'
import { holds } from '../subgraphs/tables/connection-states.ts'
import { Connection } from '../subgraphs/connections/connection.ts'
import { reportPollIssue, resolvePollIssue } from './poll-issues.ts'
import type { WorkerDeps } from './sync-context.ts'

/** Managed polling: reads what is only of now, so that readers need not ask the provider. */
export async function pollConnection(
  deps: WorkerDeps,
  connectionId: Id<'connection'>,
  model: LatestModel,
  { signal }: JobRun,
  presetMs = 0,
): Promise<void> {
  const connection = await findById(deps.db, Connection, connectionId)
  if (!connection || !holds(connection.status, 'isAsked')) return
  const providerName = deps.registry.find(connection.provider)?.manifest.name ?? ''
  const polled = { connection, model, providerName }
  const everyMs = pollIntervalMs(connection.options, presetMs)
  const late = AbortSignal.timeout(deps.longestPollMs ?? MAX_POLL_MS)
  let pages = 0
  try {
    await pollLatest(deps, {
      connection,
      model,
      priority: 'background',
      signal: AbortSignal.any([signal, late]),
      standsForMs: pollValidityMs(model, everyMs),
      onPage: () => pages++,
    })
    await resolvePollIssue(deps, polled)
  } catch (error) {
    // By now it is disconnected, and nothing is left to be polled.
    if (isOf(error, 'revoked')) return
    if (isOf(error, 'scope_missing')) return reportPollIssue(deps, polled)
    const isLate = late.aborted && error === late.reason
    // The provider takes no more requests for now: the next poll goes on where this one was.
    const isToBeContinued = error instanceof QueueTimeout || (pages > 0 && (isLate || isOf(error, 'limited')))
    if (!signal.aborted && isToBeContinued) return
    throw isLate ? unanswered(error) : error
  }
}

const unanswered = (cause: unknown): ProviderError =>
  new ProviderError('unavailable', 'the provider did not answer in the time of a poll', {
    cause,
    timedOut: true,
  })

/** A poll makes room for others before its time is over. */
const MAX_POLL_MS = 20_000

const isOf = (error: unknown, kind: ProviderError['kind']): boolean =>
  error instanceof ProviderError && error.kind === kind
