import { type RawRetainedModel, rawRetainedModels } from '../../domain/record-models.ts'
import type { ProviderAdapter } from '../../providers/provider.ts'
import type { Notifier } from '../../queue/notifier.ts'
import type { Database, Transaction } from '../../storage/database.ts'
import { findById } from '../../storage/find-by-id.ts'
import { OUTBOX_TOPIC } from '../../storage/outbox.ts'
import { hasStatusFlag } from '../../subgraphs/tables/connection-states.ts'
import { Connection } from '../../subgraphs/connections/connection.ts'
import type { Clock } from '../../domain/time.ts'
import { inVersionedTransaction } from '../ingest/versioned-transaction.ts'
import { type RemapCounts, zeroCounts, type RemapResult, addCounts } from './remap-counts.ts'
import type { KeptRecord, RemapSource, RemapTarget } from './source.ts'
import { sourcesOf } from './sources.ts'

interface RemapDeps {
  readonly db: Database
  readonly clock: Clock
  readonly notifier: Pick<Notifier, 'notify'>
}

interface RemapRequest {
  readonly connection: Connection
  readonly adapter: ProviderAdapter
  readonly models?: readonly RawRetainedModel[]
  /** Counts the changes without writing them. */
  readonly dryRun?: boolean
  /** Called after each page, with the result of the model so far. */
  readonly onPage?: (result: RemapResult) => void
}

/**
 * Maps the stored raw records again with the current mapping, without requests to the provider. It writes like a sync:
 * a page commits with its events, in a versioned transaction. A remap can therefore run concurrently with syncs.
 * Unchanged records are skipped, so it can run again after an interruption. Yields the result of each model that has
 * raw records.
 */
export async function* remap(deps: RemapDeps, input: RemapRequest): AsyncGenerator<RemapResult> {
  const { connection, adapter, models = rawRetainedModels, onPage } = input
  const target: RemapTarget = { connection, providerName: adapter.manifest.name }
  for (const model of rawRetainedModels.filter((candidate) => models.includes(candidate))) {
    let result: RemapResult = { model, ...zeroCounts }
    for (const source of sourcesOf(target, adapter, model))
      for await (const items of source.pages(deps.db)) {
        result = { model, ...addCounts(result, await remapPage(deps, input, source, items)) }
        onPage?.(result)
      }
    if (result.read > 0) yield result
  }
}

async function remapPage(
  deps: RemapDeps,
  { connection, dryRun = false }: RemapRequest,
  source: RemapSource<KeptRecord>,
  items: readonly KeptRecord[],
): Promise<RemapCounts> {
  const { unreadable, moved, due, changed } = await source.preview(deps.db, items)
  const counts = { read: items.length, unreadable, moved }
  if (dryRun || due.length === 0) return { ...counts, changed }
  const written = await inVersionedTransaction(deps, connection, async (tx, stamp) => {
    await requireNotDeleted(tx, connection)
    const current = await source.reread(tx, due)
    return source.store(tx, { connection, syncId: null, stamp }, current)
  })
  deps.notifier.notify(OUTBOX_TOPIC)
  return { ...counts, changed: written }
}

/** Error: the data of the connection is being deleted, or is gone. */
export class ConnectionDeleted extends Error {
  override readonly name = 'ConnectionDeleted'
}

async function requireNotDeleted(tx: Transaction, { id }: Connection): Promise<void> {
  const current = await findById(tx, Connection, id)
  if (!current || hasStatusFlag(current.status, 'isDeleted'))
    throw new ConnectionDeleted(`connection ${id} is being deleted`)
}
