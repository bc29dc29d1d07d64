import type { Caller } from '../../../auth/caller.ts'
import { PublicError } from '../../../domain/errors.ts'
import type { Transaction } from '../../../storage/database.ts'
import { auditedBy, recordAudit } from '../../tables/audit-log.ts'
import { type ConnectionCommandDeps, afterCommit, providerNameOf } from '../command-deps.ts'
import type { Connection } from '../connection.ts'
import { findCallersConnection, lockConnection, requireNotDeleting } from '../find-connection.ts'
import { type HeldRemoval, heldRemovalsOf, RemovalDecision, saveHeldRemoval } from './held-removal.ts'

export interface RemovalSelection {
  readonly connectionId?: string | null
  /** Model whose removal is decided; absent for all held removals of the connection. */
  readonly model?: string | null | undefined
}

interface RemovalChoice extends RemovalSelection {
  /** Null lifts an earlier decision. */
  readonly decision: RemovalDecision | null
}

export interface DecidedRemovals {
  readonly connection: Connection
  /** The selected removals with the decision. */
  readonly heldRemovals: HeldRemoval[]
}

type RemovalDeps = Pick<ConnectionCommandDeps, 'db' | 'clock' | 'notifier' | 'registry'>

/**
 * Decides held removals of a connection. The next sync removes the missing records of a confirmed removal. No sync
 * removes those of a denied one. Removals that have the decision already stay as they are.
 */
export async function decideRemovals(
  deps: RemovalDeps,
  caller: Caller,
  { connectionId, model, decision }: RemovalChoice,
): Promise<DecidedRemovals> {
  const { id } = await findCallersConnection(deps.db, caller, connectionId)
  const decided = await deps.db.transaction(async (tx) => {
    const connection = await lockConnection(tx, caller, id)
    requireNotDeleting(connection)
    const held = await heldRemovalsOf(tx, connection, model)
    if (held.length === 0) throw new PublicError('not_found', 'No such removal is held.')
    const undecided = held.filter((removal) => removal.decision !== decision)
    if (undecided.length > 0) await saveDecision(tx, deps, caller, connection, undecided, decision)
    return { connection, heldRemovals: held.map((removal) => ({ ...removal, decision })) }
  })
  await afterCommit(deps)
  return decided
}

async function saveDecision(
  tx: Transaction,
  deps: RemovalDeps,
  caller: Caller,
  connection: Connection,
  held: readonly HeldRemoval[],
  decision: RemovalDecision | null,
): Promise<void> {
  const now = deps.clock.now()
  const providerName = providerNameOf(deps, connection.provider)
  const report = { connection, providerName, syncId: null, now }
  for (const removal of held) await saveHeldRemoval(tx, { ...removal, decision }, report)
  await recordAudit(tx, auditedBy(caller, now), {
    action: actionOf(decision),
    targetId: connection.id,
    detail: { models: held.map(({ model }) => model) },
  })
}

const actionOf = (decision: RemovalDecision | null): string =>
  `connection.removals_${decision ?? 'undecided'}`

const decisionCommand =
  (decision: RemovalDecision | null) =>
  (deps: RemovalDeps, caller: Caller, selection: RemovalSelection): Promise<DecidedRemovals> =>
    decideRemovals(deps, caller, { ...selection, decision })

/** Lets the next sync remove the records that are still missing. */
export const confirmRemovals = decisionCommand(RemovalDecision.CONFIRMED)

/** Keeps the missing records until they are back or the decision is lifted. */
export const denyRemovals = decisionCommand(RemovalDecision.DENIED)

/** Lifts earlier decisions, so that time decides again. */
export const liftRemovalDecisions = decisionCommand(null)
