import type { LatestModel } from '../../domain/record-models.ts'
import { ProviderError } from '../../providers/provider-error.ts'
import { findById } from '../../storage/find-by-id.ts'
import { Connection } from '../../subgraphs/connections/connection.ts'
import type { OwnedConnection } from '../../subgraphs/on-demand/latest-fallback.ts'
import { requireConnected } from '../../subgraphs/on-demand/provider-calls.ts'
import { abortable } from '../../platform/lifecycle/abortable.ts'
import { CredentialsReplaced } from './disconnect-unauthorized.ts'
import { type IngestDeps, pollLatest } from './poll-latest.ts'

/** What a caller waits for a provider, unless told: less than a gateway waits for a subgraph. */
const DEADLINE_MS = 8_000

export interface OnDemandPollDeps extends IngestDeps {
  /** What a caller waits for a provider in all. */
  readonly liveTimeoutMs?: number | undefined
}

/**
 * Asks providers in the requests of callers for what is only of now, and stores it as a poll does. Who asks while
 * this process asks the same waits for that; who asks just after any process has asked it asks nobody. A caller that
 * leaves ends it for no other.
 */
export function createOnDemandPoll(deps: OnDemandPollDeps) {
  const underWay = new Map<string, Promise<void>>()
  return (whose: OwnedConnection, model: LatestModel): Promise<void> => {
    const { connectionId } = whose
    const key = `${connectionId} ${model}`
    const found = underWay.get(key)
    if (found) return found
    const signal = AbortSignal.timeout(deps.liveTimeoutMs ?? DEADLINE_MS)
    const asking = abortable(signal, pollNow(deps, whose, model, signal)).finally(() => underWay.delete(key))
    underWay.set(key, asking)
    return asking
  }
}

async function pollNow(
  deps: OnDemandPollDeps,
  whose: OwnedConnection,
  model: LatestModel,
  signal: AbortSignal,
): Promise<void> {
  const connection = await findById(deps.db, Connection, whose.connectionId)
  if (connection?.applicationId !== whose.applicationId) return
  requireConnected(connection.status)
  try {
    await pollLatest(deps, { connection, model, priority: 'live', signal, standsForMs: 0 })
  } catch (cause) {
    if (!(cause instanceof CredentialsReplaced)) throw cause
    throw new ProviderError('unavailable', 'its fleet was signing in', { cause })
  }
}
