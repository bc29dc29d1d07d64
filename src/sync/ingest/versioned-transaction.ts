import type { Database, Transaction } from '../../storage/database.ts'
import { forUpdate } from '../../storage/sql/dialect.ts'
import {
  abandonWrite,
  type InFlightWrite,
  registerWrite,
  completeWrite,
} from '../../storage/in-flight-writes.ts'
import type { Connection } from '../../subgraphs/connections/connection.ts'
import type { Clock, Instant } from '../../domain/time.ts'

/** Other writers of the same connection may come in between, so many times. */
const ATTEMPTS = 50

/** Another writer of the connection had a later stamp and was first. */
class VersionConflict extends Error {
  override readonly name = 'VersionConflict'

  constructor(readonly lastStamp: Instant) {
    super('another write of the connection was first')
  }
}

/**
 * Runs a transaction that writes records of a connection, all with its stamp as their `modifiedAt`. Transactions of
 * one connection follow each other in the order of their stamps, so a reader of the connection that has seen one
 * never misses an earlier one; for who reads across connections see `readWatermark`. The work may be run again.
 */
export async function inVersionedTransaction<T>(
  { db, clock }: { readonly db: Pick<Database, 'transaction'>; readonly clock: Clock },
  { id: connectionId, applicationId }: Pick<Connection, 'id' | 'applicationId'>,
  work: (tx: Transaction, stamp: Instant) => Promise<T>,
): Promise<T> {
  let least = 0
  for (let attempt = 1; ; attempt++) {
    const write = await registerWrite(db, { applicationId, connectionId }, clock.now(), least)
    try {
      return await db.transaction(async (tx) => {
        await lockConnection(tx, write)
        return work(tx, write.stamp)
      })
    } catch (error) {
      // What is left behind where this fails too is removed after a while.
      await abandonWrite(db, write).catch(() => undefined)
      if (!(error instanceof VersionConflict) || attempt === ATTEMPTS) throw error
      least = error.lastStamp + 1
    }
  }
}

/** Takes the connection for the rest of the transaction and sets its clock to the stamp of the write. */
async function lockConnection(tx: Transaction, write: InFlightWrite): Promise<void> {
  const { connectionId, stamp } = write
  const [connection] = await tx.rows<{ lastStamp: number }>(
    `SELECT \`lastStamp\` FROM \`connections\` WHERE \`id\` = ?${forUpdate(tx.dialect)}`,
    [connectionId],
  )
  if (!connection) throw new Error(`connection ${connectionId} is gone`)
  const lastStamp = Number(connection.lastStamp)
  if (lastStamp >= stamp || !(await completeWrite(tx, write))) throw new VersionConflict(lastStamp)
  await tx.run('UPDATE `connections` SET `lastStamp` = ? WHERE `id` = ?', [stamp, connectionId])
}
