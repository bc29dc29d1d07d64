import { isRefusal } from '../../errors.ts'
import type { Id } from '../../ids.ts'
import type { Transaction } from '../../storage/database.ts'
import { OUTBOX_TOPIC } from '../../storage/outbox.ts'
import { enqueueSync, requestSync } from '../../subgraphs/connections/syncs/request-sync.ts'
import type { SyncTools } from '../run.ts'

/** Another worker has asked for the sync of this turn. */
class TurnTaken extends Error {
  override readonly name = 'TurnTaken'
}

interface Whose {
  readonly id: Id<'connection'>
  readonly provider: string
}

/**
 * Asks for the sync of a turn, which is taken in the same transaction: no turn is missed, and none comes twice.
 * `refused` where another sync is not finished, or the connection is no longer connected.
 */
export async function requestInTurn(
  tools: SyncTools,
  { id: connectionId, provider }: Whose,
  take: (tx: Transaction) => Promise<boolean>,
): Promise<'requested' | 'taken' | 'refused'> {
  const { db, clock, registry, doorbell } = tools
  const providerName = registry.find(provider)?.manifest.name ?? provider
  try {
    const sync = await requestSync(db, { connectionId, providerName }, clock.now(), async (tx) => {
      if (!(await take(tx))) throw new TurnTaken()
    })
    doorbell.ring(OUTBOX_TOPIC)
    await enqueueSync(tools, sync, { urgency: 'due' })
    return 'requested'
  } catch (error) {
    if (error instanceof TurnTaken) return 'taken'
    if (!isRefusal(error)) throw error
    return 'refused'
  }
}
