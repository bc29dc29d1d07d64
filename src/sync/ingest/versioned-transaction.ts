import type { Database, Transaction } from '../../storage/database.ts'
import { forUpdate } from '../../storage/sql/dialect.ts'
import {
  abandonWrite,
  type InFlightWrite,
  registerWrite,
  completeWrite,
} from '../../storage/in-flight-writes.ts'
import { tableOf } from '../../storage/sql/table.ts'
import { FilteredConnection } from '../../subgraphs/tables/filtered-connection.ts'
import type { Connection } from '../../subgraphs/connections/connection.ts'
import type { Clock, Instant } from '../../domain/time.ts'

/** Maximum number of attempts. A retry follows when another writer of the connection has committed first. */
const MAX_ATTEMPTS = 50

/** Error: another writer of the connection has committed with no earlier stamp, or this write is not registered. */
class VersionConflict extends Error {
  override readonly name = 'VersionConflict'

  constructor(readonly lastStamp: Instant) {
    super('another write of the connection committed first, or this write was abandoned')
  }
}

/**
 * Runs a transaction that writes records of a connection. Its version stamp becomes the `modifiedAt` of these records.
 * Transactions of one connection commit in the order of their stamps. A reader of the connection that has seen a stamp
 * therefore misses no earlier one. For readers of several connections see `readWatermark`. `work` may run several times
 * until it commits. It gets the filters as they are until then: the connection is locked.
 */
export async function inVersionedTransaction<T>(
  { db, clock }: { readonly db: Pick<Database, 'transaction'>; readonly clock: Clock },
  { id: connectionId, applicationId }: Pick<Connection, 'id' | 'applicationId'>,
  work: (tx: Transaction, stamp: Instant, current: FilteredConnection) => Promise<T>,
): Promise<T> {
  let minStamp = 0
  for (let attempt = 1; ; attempt++) {
    const write = await registerWrite(db, { applicationId, connectionId }, clock.now(), minStamp)
    try {
      return await db.transaction(async (tx) => {
        const current = await lockConnection(tx, write)
        return work(tx, write.stamp, current)
      })
    } catch (error) {
      // If this call fails too, the job `remove-abandoned` unregisters the write later.
      await abandonWrite(db, write).catch(() => undefined)
      if (!(error instanceof VersionConflict) || attempt === MAX_ATTEMPTS) throw error
      minStamp = error.lastStamp + 1
    }
  }
}

const connections = tableOf(FilteredConnection)

/** Locks the connection for the rest of the transaction, unregisters the write, and sets `lastStamp` to its stamp. */
async function lockConnection(tx: Transaction, write: InFlightWrite): Promise<FilteredConnection> {
  const { applicationId, connectionId, stamp } = write
  const isOwn = '`id` = ? AND `applicationId` = ?'
  const [connection] = await tx.rows<Record<string, unknown>>(
    `SELECT ${connections.selected}, \`lastStamp\` FROM \`connections\` WHERE ${isOwn}${forUpdate(tx.dialect)}`,
    [connectionId, applicationId],
  )
  if (!connection) throw new Error(`connection ${connectionId} does not exist`)
  const lastStamp = Number(connection['lastStamp'])
  if (lastStamp >= stamp || !(await completeWrite(tx, write))) throw new VersionConflict(lastStamp)
  await tx.run(`UPDATE \`connections\` SET \`lastStamp\` = ? WHERE ${isOwn}`, [
    stamp,
    connectionId,
    applicationId,
  ])
  return connections.toRow(connection)
}
