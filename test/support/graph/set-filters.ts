import type { Database } from '../../../src/storage/database.ts'
import type { ConnectionFilters } from '../../../src/subgraphs/tables/filtered-connection.ts'
import type { SeededConnection } from '../factories.ts'

/** Replaces or removes the filters of a connection. */
export const setFilters = (
  db: Pick<Database, 'transaction'>,
  { connection }: Pick<SeededConnection, 'connection'>,
  filters: ConnectionFilters | null,
): Promise<unknown> =>
  db.transaction((tx) =>
    tx.run('UPDATE `connections` SET `filters` = ? WHERE `id` = ?', [
      filters && JSON.stringify(filters),
      connection.id,
    ]),
  )
