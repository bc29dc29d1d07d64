import type { LatestModel } from '../models.ts'
import { ProviderError } from '../providers/api.ts'
import { one } from '../storage/one.ts'
import { Connection } from '../subgraphs/connections/connection.ts'
import type { Whose } from '../subgraphs/live-latest.ts'
import { refuseUnlessConnected } from '../subgraphs/live.ts'
import { unlessAborted } from '../unless-aborted.ts'
import { SignedInSince } from './disconnect-refused.ts'
import { type IntakeFrom, readLatest } from './read-latest.ts'

/** What a caller waits for a provider, unless told: less than a gateway waits for a subgraph. */
const DEADLINE_MS = 8_000

export interface AskingFrom extends IntakeFrom {
  /** What a caller waits for a provider in all. */
  readonly liveTimeoutMs?: number | undefined
}

/**
 * Asks providers in the requests of callers for what is only of now, and stores it as a poll does. Who asks while
 * this process asks the same waits for that; who asks just after any process has asked it asks nobody. A caller that
 * leaves ends it for no other.
 */
export function latestAsker(from: AskingFrom) {
  const underWay = new Map<string, Promise<void>>()
  return (whose: Whose, model: LatestModel): Promise<void> => {
    const { connectionId } = whose
    const key = `${connectionId} ${model}`
    const found = underWay.get(key)
    if (found) return found
    const signal = AbortSignal.timeout(from.liveTimeoutMs ?? DEADLINE_MS)
    const asking = unlessAborted(signal, askNow(from, whose, model, signal)).finally(() =>
      underWay.delete(key),
    )
    underWay.set(key, asking)
    return asking
  }
}

async function askNow(
  from: AskingFrom,
  whose: Whose,
  model: LatestModel,
  signal: AbortSignal,
): Promise<void> {
  const connection = await one(from.db, Connection, whose.connectionId)
  if (connection?.applicationId !== whose.applicationId) return
  refuseUnlessConnected(connection.status)
  try {
    await readLatest(from, { connection, model, priority: 'live', signal, standsForMs: 0 })
  } catch (cause) {
    if (!(cause instanceof SignedInSince)) throw cause
    throw new ProviderError('unavailable', 'its fleet was signing in', { cause })
  }
}
