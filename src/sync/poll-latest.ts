import type { Id } from '../ids.ts'
import { readLatest } from '../intake/read-latest.ts'
import type { LatestModel } from '../models.ts'
import { ProviderError } from '../providers/api.ts'
import { StillInLine } from '../providers/budgets/turns.ts'
import { pollIntervalMs, standsForMs } from '../queue/polls.ts'
import type { JobRun } from '../queue/queue.ts'
import { one } from '../storage/one.ts'
import { holds } from '../subgraphs/connection-states.ts'
import { Connection } from '../subgraphs/connections/connection.ts'
import { reportUnread, resolveUnread } from './poll-issues.ts'
import type { SyncTools } from './run.ts'

/** Managed polling: reads what is only of now, so that readers need not ask the provider. */
export async function pollLatest(
  tools: SyncTools,
  connectionId: Id<'connection'>,
  model: LatestModel,
  { signal }: JobRun,
  presetMs = 0,
): Promise<void> {
  const connection = await one(tools.db, Connection, connectionId)
  if (!connection || !holds(connection.status, 'isAsked')) return
  const providerName = tools.registry.find(connection.provider)?.manifest.name ?? ''
  const polled = { connection, model, providerName }
  const everyMs = pollIntervalMs(connection.options, presetMs)
  const late = AbortSignal.timeout(tools.longestPollMs ?? LONGEST_POLL_MS)
  let pages = 0
  try {
    await readLatest(tools, {
      connection,
      model,
      priority: 'background',
      signal: AbortSignal.any([signal, late]),
      standsForMs: standsForMs(model, everyMs),
      onPage: () => pages++,
    })
    await resolveUnread(tools, polled)
  } catch (error) {
    // By now it is disconnected, and nothing is left to be polled.
    if (isOf(error, 'revoked')) return
    if (isOf(error, 'scope_missing')) return reportUnread(tools, polled)
    const isLate = late.aborted && error === late.reason
    // The provider takes no more requests for now: the next poll goes on where this one was.
    const isToBeContinued = error instanceof StillInLine || (pages > 0 && (isLate || isOf(error, 'limited')))
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
const LONGEST_POLL_MS = 20_000

const isOf = (error: unknown, kind: ProviderError['kind']): boolean =>
  error instanceof ProviderError && error.kind === kind
