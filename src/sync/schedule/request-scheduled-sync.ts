import { isClientError } from '../../domain/errors.ts'
import type { Id } from '../../domain/ids.ts'
import type { Transaction } from '../../storage/database.ts'
import { OUTBOX_TOPIC } from '../../storage/outbox.ts'
import { enqueueSync, requestSync } from '../../subgraphs/connections/syncs/request-sync.ts'
import type { WorkerDeps } from '../sync-context.ts'

/** Error: another worker has claimed the due time. */
class ScheduleTaken extends Error {
  override readonly name = 'ScheduleTaken'
}

interface ScheduledConnection {
  readonly id: Id<'connection'>
  readonly provider: string
}

/**
 * Requests a scheduled sync and claims its due time in the same transaction. So no sync is missed, and none is
 * requested twice. Returns `taken` if another worker has claimed the due time. Returns `refused` if a sync of the
 * connection is unfinished, or if the connection is no longer connected.
 */
export async function requestScheduledSync(
  deps: WorkerDeps,
  { id: connectionId, provider }: ScheduledConnection,
  claim: (tx: Transaction) => Promise<boolean>,
): Promise<'requested' | 'taken' | 'refused'> {
  const { db, clock, registry, notifier } = deps
  const providerName = registry.find(provider)?.manifest.name ?? provider
  try {
    const sync = await requestSync(db, { connectionId, providerName }, clock.now(), async (tx) => {
      if (!(await claim(tx))) throw new ScheduleTaken()
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
