import type { Owner } from '../domain/models/define-model.ts'
import type { Rows } from '../storage/database.ts'
import { placeholders } from '../storage/loaders/order-by-keys.ts'
import type { Connection } from '../subgraphs/connections/connection.ts'
import type { FilterChange } from '../subgraphs/tables/filter-change.ts'
import { inVersionedTransaction } from './ingest/versioned-transaction.ts'
import { storedModels } from './pipeline/stored-models.ts'
import type { WorkerDeps } from './sync-context.ts'

const RECORDS_PER_BATCH = 500

/** Models whose lists have no `modifiedAfter`. */
const UNSTAMPED: readonly string[] = ['IFTASummary']

interface OwnerRecords {
  readonly table: string
  readonly ownerColumn: string
}

interface OwnerBatch {
  readonly connection: Connection
  readonly change: Pick<FilterChange, 'lastStamp'>
  readonly owner: Owner
  readonly ownerIds: readonly string[]
}

interface StampedRow {
  readonly id: string
  readonly modifiedAt: number
}

/**
 * Stamps the records of vehicles or drivers that a changed filter shows, also removed ones. A reader by `modifiedAfter`
 * may have passed their earlier stamps while they were hidden. They have no events.
 */
export async function stampOwnedRecords(
  deps: Pick<WorkerDeps, 'db' | 'clock'>,
  batch: OwnerBatch,
  signal: AbortSignal,
): Promise<void> {
  for (const records of recordsOf(batch.owner))
    for await (const ids of unstampedRecords(deps.db, records, batch)) {
      signal.throwIfAborted()
      await stamp(deps, records, batch, ids)
    }
}

const recordsOf = (owner: Owner): OwnerRecords[] =>
  Object.entries(storedModels)
    .filter(([name, model]) => model.owner === owner && !UNSTAMPED.includes(name))
    .map(([, { table }]) => ({ table: table.name, ownerColumn: `${owner}Id` }))

/** Returns the ids of the records without a stamp after the change, in batches. */
async function* unstampedRecords(
  db: Rows,
  { table, ownerColumn }: OwnerRecords,
  { connection, change, ownerIds }: OwnerBatch,
): AsyncGenerator<readonly string[]> {
  for (let after: StampedRow | undefined = { id: '', modifiedAt: 0 }; after;) {
    const page: StampedRow[] = await db.rows(
      `SELECT \`id\`, \`modifiedAt\` FROM \`${table}\`
        WHERE \`connectionId\` = ? AND \`applicationId\` = ? AND \`modifiedAt\` >= ? AND \`modifiedAt\` <= ?
        AND (\`modifiedAt\` > ? OR \`id\` > ?) AND \`${ownerColumn}\` IN (${placeholders(ownerIds.length)})
        ORDER BY \`modifiedAt\`, \`id\` LIMIT ${RECORDS_PER_BATCH}`,
      [
        connection.id,
        connection.applicationId,
        after.modifiedAt,
        change.lastStamp,
        after.modifiedAt,
        after.id,
        ...ownerIds,
      ],
    )
    if (page.length > 0) yield page.map(({ id }) => id)
    after = page.length === RECORDS_PER_BATCH ? page.at(-1) : undefined
  }
}

const stamp = (
  deps: Pick<WorkerDeps, 'db' | 'clock'>,
  { table }: OwnerRecords,
  { connection, change: { lastStamp } }: OwnerBatch,
  ids: readonly string[],
): Promise<number> =>
  inVersionedTransaction(deps, connection, (tx, modifiedAt) =>
    tx.run(
      `UPDATE \`${table}\` SET \`modifiedAt\` = ? WHERE \`connectionId\` = ? AND \`applicationId\` = ?
        AND \`modifiedAt\` <= ? AND \`id\` IN (${placeholders(ids.length)})`,
      [modifiedAt, connection.id, connection.applicationId, lastStamp, ...ids],
    ),
  )
