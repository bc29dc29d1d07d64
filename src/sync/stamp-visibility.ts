import type { Id } from '../domain/ids.ts'
import type { Rows } from '../storage/database.ts'
import { findById } from '../storage/find-by-id.ts'
import { placeholders } from '../storage/loaders/order-by-keys.ts'
import { OUTBOX_TOPIC } from '../storage/outbox.ts'
import { byIndex } from '../storage/sql/dialect.ts'
import { Connection } from '../subgraphs/connections/connection.ts'
import { hasStatusFlag } from '../subgraphs/tables/connection-states.ts'
import { type FilterChange, filterChangesOf, removeFilterChange } from '../subgraphs/tables/filter-change.ts'
import type {
  ConnectionFilters,
  FilteredKind,
  RecordFilter,
} from '../subgraphs/tables/filtered-connection.ts'
import { hiddenReason } from '../subgraphs/tables/visibility.ts'
import { inVersionedTransaction } from './ingest/versioned-transaction.ts'
import { emitChangeEvents } from './pipeline/events/emit-change-events.ts'
import {
  type ListedRow,
  type NormalizedRecord,
  type StoredModel,
  storedModelOf,
} from './pipeline/stored-models.ts'
import { stampOwnedRecords } from './stamp-owned-records.ts'
import type { WorkerDeps } from './sync-context.ts'

const RECORDS_PER_BATCH = 500

const models: Readonly<Record<FilteredKind, StoredModel<NormalizedRecord>>> = {
  vehicles: storedModelOf('Vehicle'),
  drivers: storedModelOf('Driver'),
}

const owners = { vehicles: 'vehicle', drivers: 'driver' } as const

/**
 * Stamps the vehicles and drivers whose visibility changed filters have changed, and appends their events. Stamps the
 * records of those that the filters show. A reader by `modifiedAfter` then finds them. A change is removed after its last
 * record. If the job runs again before, it skips the records that it has stamped.
 */
export async function stampVisibility(
  deps: WorkerDeps,
  connectionId: Id<'connection'>,
  signal: AbortSignal,
): Promise<void> {
  const found = await findById(deps.db, Connection, connectionId)
  if (!found) return
  for (const change of await filterChangesOf(deps.db, found)) {
    // The filters may change again during the job. Their new change then covers the records that this one skips.
    const connection = await findById(deps.db, Connection, connectionId)
    if (!connection || hasStatusFlag(connection.status, 'isDeleted')) return
    for await (const { ids, shownIds } of changedRecords(deps.db, connection, change)) {
      signal.throwIfAborted()
      const shown = { connection, change, owner: owners[change.kind], ownerIds: shownIds }
      if (shownIds.length > 0) await stampOwnedRecords(deps, shown, signal)
      await stamp(deps, connection, change, ids)
    }
    await deps.db.transaction((tx) => removeFilterChange(tx, change), 'idempotent')
  }
}

interface ChangedRecords {
  readonly ids: readonly string[]
  /** The ids of those that are visible now. */
  readonly shownIds: readonly string[]
}

/**
 * Returns the ids of the records whose visibility has changed, in batches. Those that were removed or have a later stamp
 * may own records without one.
 */
async function* changedRecords(
  db: Rows & Pick<WorkerDeps['db'], 'dialect'>,
  { id: connectionId, applicationId, filters }: Connection,
  { kind, filterBefore }: FilterChange,
): AsyncGenerator<ChangedRecords> {
  const filter = (filters as ConnectionFilters | null)?.[kind]
  const hint = byIndex(db.dialect, kind, ['applicationId', 'connectionId', 'id'])
  for (let after: string | undefined = ''; after !== undefined;) {
    const page: { id: string; status: string }[] = await db.rows(
      `SELECT \`id\`, \`status\` FROM \`${kind}\`${hint}
        WHERE \`applicationId\` = ? AND \`connectionId\` = ? AND \`id\` > ?
        ORDER BY \`id\` LIMIT ${RECORDS_PER_BATCH}`,
      [applicationId, connectionId, after],
    )
    const changed = page.filter((row) => reasonOf(filterBefore, row) !== reasonOf(filter, row))
    const shown = changed.filter((row) => reasonOf(filter, row) === null)
    if (changed.length > 0) yield { ids: idsOf(changed), shownIds: idsOf(shown) }
    after = page.length === RECORDS_PER_BATCH ? page.at(-1)?.id : undefined
  }
}

const idsOf = (rows: readonly { readonly id: string }[]): string[] => rows.map(({ id }) => id)

const reasonOf = (
  filter: RecordFilter | null | undefined,
  row: { readonly id: string; readonly status: string },
) => (filter ? hiddenReason(filter, row) : null)

/** Stamps a batch of records. Skips those that were removed, or have a later stamp than the change. */
async function stamp(
  { db, clock, registry, notifier }: WorkerDeps,
  connection: Connection,
  { kind, lastStamp }: FilterChange,
  ids: readonly string[],
): Promise<void> {
  const model = models[kind]
  const { table } = model
  const { id: connectionId, applicationId, provider } = connection
  const providerName = registry.find(provider)?.manifest.name ?? provider
  await inVersionedTransaction({ db, clock }, connection, async (tx, stamp) => {
    const found = await tx.rows<Record<string, unknown>>(
      `SELECT ${table.selected} FROM \`${table.name}\` WHERE \`connectionId\` = ? AND \`applicationId\` = ?
        AND \`modifiedAt\` <= ? AND \`deletedAt\` IS NULL AND \`id\` IN (${placeholders(ids.length)})`,
      [connectionId, applicationId, lastStamp, ...ids],
    )
    if (found.length === 0) return
    const before = found.map((row) => table.toRow(row) as ListedRow)
    const rows = before.map((row) => ({ ...row, modifiedAt: stamp }))
    await tx.run(
      `UPDATE \`${table.name}\` SET \`modifiedAt\` = ?
        WHERE \`connectionId\` = ? AND \`applicationId\` = ? AND \`id\` IN (${placeholders(rows.length)})`,
      [stamp, connectionId, applicationId, ...rows.map(({ id }) => id)],
    )
    const changes = rows.map((row, at) => ({ kind: 'modified', row, before: before[at]! }) as const)
    await emitChangeEvents(tx, model, { connection, syncId: null, stamp }, providerName, changes)
  })
  notifier.notify(OUTBOX_TOPIC)
}
