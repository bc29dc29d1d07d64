import type { Caller } from '../../../auth/caller.ts'
import { PublicError } from '../../../domain/errors.ts'
import { auditedBy, recordAudit } from '../../tables/audit-log.ts'
import { type ConnectionCommandDeps, afterCommit, providerNameOf } from '../command-deps.ts'
import { lockConnection, requireNotDeleting } from '../find-connection.ts'
import { type HeldRemoval, heldRemovalsOf, type RemovalDecision, saveHeldRemoval } from './held-removal.ts'

interface RemovalChoice {
  readonly connectionId: string
  /** Model whose removal is decided; absent for all held removals of the connection. */
  readonly model?: string | undefined
  /** Null lifts an earlier decision. */
  readonly decision: RemovalDecision | null
}

/**
 * Decides held removals of a connection. The next sync removes the missing records of a confirmed removal. No sync
 * removes those of a denied one.
 */
export async function decideRemovals(
  deps: Pick<ConnectionCommandDeps, 'db' | 'clock' | 'notifier' | 'registry'>,
  caller: Caller,
  { connectionId, model, decision }: RemovalChoice,
): Promise<HeldRemoval[]> {
  const decided = await deps.db.transaction(async (tx) => {
    const connection = await lockConnection(tx, caller, connectionId)
    requireNotDeleting(connection)
    const held = await heldRemovalsOf(tx, connection, model)
    if (held.length === 0) throw new PublicError('not_found', 'No such removal is held.')
    const now = deps.clock.now()
    const report = {
      connection,
      providerName: providerNameOf(deps, connection.provider),
      syncId: null,
      now,
    }
    const removals = held.map((removal) => ({ ...removal, decision }))
    for (const removal of removals) await saveHeldRemoval(tx, removal, report)
    await recordAudit(tx, auditedBy(caller, now), {
      action: actionOf(decision),
      targetId: connectionId,
      detail: { models: removals.map((removal) => removal.model) },
    })
    return removals
  })
  await afterCommit(deps)
  return decided
}

const actionOf = (decision: RemovalDecision | null): string =>
  `connection.removals_${decision ?? 'undecided'}`
