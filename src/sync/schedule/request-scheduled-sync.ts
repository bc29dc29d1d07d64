import { isClientError } from '../../domain/errors.ts'
import type { Id } from '../../domain/ids.ts'
import type { Transaction } from '../../storage/database.ts'
import { OUTBOX_TOPIC } from '../../storage/outbox.ts'
import { enqueueSync, requestSync } from '../../subgraphs/connections/syncs/request-sync.ts'
import type { WorkerDeps } from '../sync-context.ts'

/** Another worker has asked for the sync of this turn. */
class ScheduleTaken extends Error {
  override readonly name = 'ScheduleTaken'
}

interface ScheduledConnection {
  readonly id: Id<'connection'>
  readonly provider: string
}

/**
 * Asks for the sync of a turn, which is taken in the same transaction: no turn is missed, and none comes twice.
 * `refused` where another sync is not finished, or the connection is no longer connected.
 */
export async function requestScheduledSync(
  deps: WorkerDeps,
  { id: connectionId, provider }: ScheduledConnection,
  take: (tx: Transaction) => Promise<boolean>,
): Promise<'requested' | 'taken' | 'refused'> {
  const { db, clock, registry, notifier } = deps
  const providerName = registry.find(provider)?.manifest.name ?? provider
  try {
    const sync = await requestSync(db, { connectionId, providerName }, clock.now(), async (tx) => {
      if (!(await take(tx))) throw new ScheduleTaken()
    })
    notifier.notify(OUTBOX_TOPIC)
    await enqueueSync(deps, sync, { urgency: 'due' })
    return 'requested'
  } catch (error) {
    if (error instanceof ScheduleTaken) return 'taken'
    if (!isClientError(error)) throw error
    return 'refused'
  }
}
