import type { Queue } from '../../queue/queue.ts'
import type { Transaction } from '../../storage/database.ts'
import { type Connection, ConnectionStatus } from '../../subgraphs/connections/connection.ts'
import { DELETION_GRACE_MS } from '../../subgraphs/connections/lifecycle/delete-connection.ts'
import { lockConnection } from '../../subgraphs/connections/find-connection.ts'
import { transitionConnection } from '../../subgraphs/connections/lifecycle/transition-connection.ts'
import { deletedRowsOf, removeDeletedRows, rowsSince } from './deletion-progress.ts'
import { type DeletionBudget, RowDeletion } from './row-deletion.ts'
import type { WorkerDeps } from '../sync-context.ts'

type DeletionDeps = Pick<WorkerDeps, 'db' | 'clock' | 'registry' | 'log'> & {
  readonly queue: Pick<Queue, 'remove'>
}

const BATCHES_PER_RUN = 400

type DueConnection = Pick<Connection, 'id' | 'applicationId' | 'status'>

/** Deletes the data of connections whose grace period is over. One call runs at most `BATCHES_PER_RUN` deletions. */
export async function deleteDueConnectionData(deps: DeletionDeps, signal?: AbortSignal): Promise<void> {
  const { db, clock } = deps
  const now = clock.now()
  const due = await db.rows<DueConnection>(
    `SELECT \`id\`, \`applicationId\`, \`status\` FROM \`connections\` WHERE \`status\` = 'deleting'
      OR (\`status\` = 'pending_deletion' AND \`deletionRequestedAt\` <= ?)`,
    [now - DELETION_GRACE_MS],
  )
  const budget = { batches: BATCHES_PER_RUN, signal }
  for (const connection of due) {
    signal?.throwIfAborted()
    if (connection.status === ConnectionStatus.PENDING_DELETION && !(await beginDeletion(deps, connection)))
      continue
    if (!(await deleteRows(deps, connection, budget))) return
    // While a job of the connection runs, the deletion cannot end. A later call ends it.
    if (await deps.queue.remove(connection.id)) await finishDeletion(deps, connection)
  }
}

/** Begins the deletion, which can then no longer be cancelled. Returns false if it has been cancelled before. */
const beginDeletion = (deps: DeletionDeps, due: DueConnection): Promise<boolean> =>
  deps.db.transaction(async (tx) => {
    const before = await lockConnections(tx, due)
    if ((before.deletionRequestedAt ?? Infinity) > deps.clock.now() - DELETION_GRACE_MS) return false
    const { hasChanged } = await transitionConnection(
      tx,
      before,
      'begin_deletion',
      transitionOf(deps, before),
    )
    return hasChanged
  })

const lockConnections = (tx: Transaction, { id, applicationId }: DueConnection): Promise<Connection> =>
  lockConnection(tx, { applicationId, connectionIds: [id] }, id)

const transitionOf = ({ clock, registry }: DeletionDeps, { provider }: Connection) => ({
  now: clock.now(),
  providerName: registry.find(provider)?.manifest.name ?? provider,
})

/** Deletes the rows of a connection within the budget. Returns whether none is left. */
async function deleteRows(deps: DeletionDeps, due: DueConnection, budget: DeletionBudget): Promise<boolean> {
  const before = await deletedRowsOf(deps.db, due.id)
  const deletion = new RowDeletion(deps.db, due, budget, before)
  const { id: connectionId, applicationId } = due
  let isComplete = false
  try {
    isComplete = await deletion.run()
    return isComplete
  } finally {
    const rows = rowsSince(before, deletion.deleted)
    if (Object.keys(rows).length > 0)
      deps.log.info({ connectionId, applicationId, rows, isComplete }, 'connection rows deleted')
  }
}

/**
 * Reduces the connection to a stub. It keeps its token, tags and own fields. It loses options, filters, credentials and
 * user. The audit log keeps how many rows of each table were deleted.
 */
async function finishDeletion(deps: DeletionDeps, due: DueConnection): Promise<void> {
  await deps.db.transaction(async (tx) => {
    const before = await lockConnections(tx, due)
    if (before.status !== ConnectionStatus.DELETING) return
    const transition = transitionOf(deps, before)
    const rows = await deletedRowsOf(tx, due.id)
    await removeDeletedRows(tx, due.id)
    await transitionConnection(tx, before, 'end_deletion', {
      ...transition,
      auditDetail: { rows },
      fields: {
        options: {},
        filters: null,
        account: { ...before.account, user: null },
        credentialsSealed: '',
        lastSyncId: null,
        deletedAt: transition.now,
      },
    })
  })
}
