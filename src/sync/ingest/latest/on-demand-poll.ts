import { setTimeout as wait } from 'node:timers/promises'
import type { LatestModel } from '../../../domain/record-models.ts'
import { ProviderError } from '../../../providers/provider-error.ts'
import { findById } from '../../../storage/find-by-id.ts'
import { Connection } from '../../../subgraphs/connections/connection.ts'
import type { OwnedConnection } from '../../../subgraphs/on-demand/latest-lists.ts'
import { requireConnected } from '../../../subgraphs/on-demand/provider-calls.ts'
import { abortable } from '../../../platform/lifecycle/abortable.ts'
import { CredentialsReplaced } from '../disconnect-unauthorized.ts'
import { type IngestDeps, logUnreadable, pollLatest } from './poll-latest.ts'
import { deadlineSignal } from '../../../platform/lifecycle/deadline.ts'

/** Default of `liveTimeoutMs`. It is below the time that a gateway waits for a subgraph. */
const DEFAULT_LIVE_TIMEOUT_MS = 8_000

export interface OnDemandPollDeps extends IngestDeps {
  /** Total time that a caller waits for a provider, in ms. */
  readonly liveTimeoutMs?: number | undefined
}

/**
 * Creates the poll for requests of callers. Like managed polling, it reads latest states from the provider and stores
 * them. Concurrent requests in this process for the same states share a poll. Just after a poll of any process, it
 * sends no request to the provider. A caller that disconnects does not cancel the poll, because other callers may share
 * it.
 */
export function createOnDemandPoll(deps: OnDemandPollDeps) {
  const inFlight = new Map<string, Promise<void>>()
  return (target: OwnedConnection, model: LatestModel): Promise<void> => {
    const { connectionId } = target
    const key = `${connectionId} ${model}`
    const current = inFlight.get(key)
    if (current) return current
    const signal = deadlineSignal(deps.liveTimeoutMs ?? DEFAULT_LIVE_TIMEOUT_MS)
    const poll = untilDeadline(signal, pollNow(deps, target, model, signal)).finally(() =>
      inFlight.delete(key),
    )
    inFlight.set(key, poll)
    return poll
  }
}

/** Time in which a poll can end with the error that made it last until its deadline, such as a rate limit. */
const OWN_ERROR_MS = 100

/** Returns the result of a poll. At the deadline, the error of the poll is preferred to the timeout. */
async function untilDeadline(signal: AbortSignal, poll: Promise<void>): Promise<void> {
  try {
    await abortable(signal, poll)
  } catch (error) {
    if (!signal.aborted) throw error
    await Promise.race([poll, wait(OWN_ERROR_MS).then(() => Promise.reject(error))])
  }
}

async function pollNow(
  deps: OnDemandPollDeps,
  target: OwnedConnection,
  model: LatestModel,
  signal: AbortSignal,
): Promise<void> {
  const connection = await findById(deps.db, Connection, target.connectionId)
  if (connection?.applicationId !== target.applicationId) return
  requireConnected(connection.status)
  try {
    const faults = await pollLatest(deps, { connection, model, priority: 'live', signal, validForMs: 0 })
    logUnreadable(deps, { connection, model }, faults)
  } catch (cause) {
    if (!(cause instanceof CredentialsReplaced)) throw cause
    throw new ProviderError('unavailable', 'the fleet is signing in again', { cause })
  }
}
