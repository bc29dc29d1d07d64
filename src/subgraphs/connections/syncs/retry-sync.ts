import type { Caller } from '../../../auth/caller.ts'
import { PublicError } from '../../../errors.ts'
import { announce } from '../../../storage/outbox.ts'
import { by, remember } from '../../audit.ts'
import { refuseUnlessConnected } from '../../live.ts'
import { statesOf, syncEvent } from '../announcements.ts'
import { syncOf } from './cancel-sync.ts'
import { heldConnection } from '../meant-connection.ts'
import { enqueueSync, refuseWhileUnfinished } from './request-sync.ts'
import { type Sync, SyncStatus } from './sync.ts'
import { type ConnectionWritesFrom, follow, providerNameOf } from '../writes-from.ts'

/** Takes a failed sync up again from where it stopped. */
export async function retrySync(
  from: ConnectionWritesFrom,
  caller: Caller,
  { syncId }: { readonly syncId: string },
): Promise<Sync> {
  const retried = await from.db.transaction(async (tx) => {
    const { connectionId } = await syncOf(tx, caller, syncId)
    const connection = await heldConnection(tx, caller, connectionId)
    const before = await syncOf(tx, caller, syncId)
    if (before.status !== SyncStatus.FAILED)
      throw new PublicError(
        'unprocessable_entity',
        `The sync is ${before.status}: only a failed one is retried.`,
      )
    refuseUnlessConnected(connection.status)
    await refuseWhileUnfinished(tx, connection)
    const sync: Sync = { ...before, status: SyncStatus.REQUESTED, failureReason: null, completedAt: null }
    await tx.run(
      "UPDATE `syncs` SET `status` = 'requested', `failureReason` = NULL, `completedAt` = NULL WHERE `id` = ? AND `connectionId` = ?",
      [syncId, connectionId],
    )
    await tx.run('UPDATE `connections` SET `lastSyncId` = ? WHERE `id` = ?', [syncId, connectionId])
    const origin = { applicationId: connection.applicationId, connectionId, at: from.clock.now() }
    const providerName = providerNameOf(from, connection.provider)
    const states = await statesOf(tx, [sync])
    await announce(
      tx,
      origin,
      states.map((state) => syncEvent('sync.requested', state, connection, providerName)),
    )
    await remember(tx, by(caller, origin.at), { action: 'sync.retried', targetId: syncId })
    return sync
  })
  // The job of before may not have ended yet: this one must not be absorbed by it.
  await follow(from, () => enqueueSync(from, retried, { key: `${syncId}-${retried.attempts}` }))
  return retried
}
