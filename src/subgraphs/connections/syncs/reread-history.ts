import { modelNamed, type SyncedModel, syncedModels } from '../../../domain/record-models.ts'
import type { Transaction } from '../../../storage/database.ts'
import { placeholders } from '../../../storage/loaders/order-by-keys.ts'
import {
  type ConnectionFilters,
  type FilteredKind,
  filteredKinds,
  filteredOwners,
} from '../../tables/filtered-connection.ts'
import { isLoosened } from '../../tables/visibility.ts'
import type { Connection } from '../connection.ts'

/**
 * Makes the next sync of a locked connection read its history again after its filters were loosened: the records of
 * hidden vehicles and drivers were not stored. Without a checkpoint, a model is read like that of a new connection.
 */
export async function rereadLoosened(tx: Transaction, before: Connection, after: Connection): Promise<void> {
  const kinds = filteredKinds.filter((kind) => isLoosened(filterOf(before, kind), filterOf(after, kind)))
  if (kinds.length === 0) return
  const models = syncedModels.filter((model) => kinds.some((kind) => isOwnedBy(model, kind)))
  await tx.run(
    `DELETE FROM \`checkpoints\` WHERE \`connectionId\` = ? AND \`model\` IN (${placeholders(models.length)})`,
    [after.id, ...models],
  )
  await extendBackfill(tx, after)
  await interruptSync(tx, after)
}

const filterOf = ({ filters }: Connection, kind: FilteredKind) =>
  (filters as ConnectionFilters | null)?.[kind] ?? null

function isOwnedBy(model: SyncedModel, kind: FilteredKind): boolean {
  const { owner } = modelNamed(model)
  return owner !== undefined && filteredOwners[owner] === kind
}

/** Extends the backfill to the earliest start that a caller has requested and a sync has completed. */
async function extendBackfill(tx: Transaction, { id, applicationId }: Connection): Promise<void> {
  const [row] = await tx.rows<{ earliest: number | null }>(
    `SELECT MIN(\`startFrom\`) AS \`earliest\` FROM \`syncs\`
      WHERE \`connectionId\` = ? AND \`applicationId\` = ? AND \`status\` = 'completed'`,
    [id, applicationId],
  )
  if (row?.earliest == null) return
  await tx.run(
    `UPDATE \`connections\` SET \`backfillFrom\` = ?
      WHERE \`id\` = ? AND \`applicationId\` = ? AND COALESCE(\`backfillFrom\`, \`createdAt\`) > ?`,
    [row.earliest, id, applicationId, row.earliest],
  )
}

/**
 * Takes the lease of a running sync, which leaves out records by the earlier filters. A worker then continues the sync
 * with the new filters.
 */
const interruptSync = (tx: Transaction, { id, applicationId }: Connection): Promise<number> =>
  tx.run(
    `UPDATE \`syncs\` SET \`leaseOwner\` = NULL, \`leasedUntil\` = NULL
      WHERE \`connectionId\` = ? AND \`applicationId\` = ? AND \`status\` IN ('requested', 'in_progress')`,
    [id, applicationId],
  )
