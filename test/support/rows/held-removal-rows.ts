import { newId } from '../../../src/domain/ids.ts'
import type { Database } from '../../../src/storage/database.ts'
import type { Connection } from '../../../src/subgraphs/connections/connection.ts'
import { saveHeldRemoval } from '../../../src/subgraphs/connections/removals/held-removal.ts'
import { NOON } from '../factories.ts'

/** Stores a held removal of 30 of 100 vehicles. */
export async function seedHeldRemoval(
  db: Pick<Database, 'transaction'>,
  connection: Connection,
): Promise<void> {
  const held = { model: 'Vehicle', syncId: newId('sync', NOON), since: NOON, dueAt: NOON + 3_600_000 }
  await db.transaction((tx) =>
    saveHeldRemoval(
      tx,
      { ...held, missing: 30, total: 100, decision: null },
      { connection, providerName: 'Sandbox', syncId: null, now: NOON },
    ),
  )
}
