import { type RawRetainedModel, rawRetainedModels } from '../../domain/record-models.ts'
import type { ProviderAdapter } from '../../providers/provider.ts'
import type { Notifier } from '../../queue/notifier.ts'
import type { Database, Transaction } from '../../storage/database.ts'
import { findById } from '../../storage/find-by-id.ts'
import { OUTBOX_TOPIC } from '../../storage/outbox.ts'
import { holds } from '../../subgraphs/tables/connection-states.ts'
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
  /** Only looks what it would change. */
  readonly dryRun?: boolean
  /** Hears how far a model is. */
  readonly onPage?: (soFar: RemapResult) => void
}

/**
 * Maps again what a provider sent, as it is kept, with the present mapping: nothing is fetched. It is written as by a
 * sync, a page and its events at once and in turn with the syncs of the connection; what says the same is left alone.
 * So it can be run beside them, and again after it was stopped. Gives what became of each model, one after another.
 */
export async function* remap(deps: RemapDeps, input: RemapRequest): AsyncGenerator<RemapResult> {
  const { connection, adapter, models = rawRetainedModels, onPage } = input
  const whose: RemapTarget = { connection, providerName: adapter.manifest.name }
  for (const model of rawRetainedModels.filter((one) => models.includes(one))) {
    let soFar: RemapResult = { model, ...zeroCounts }
    for (const source of sourcesOf(whose, adapter, model))
      for await (const items of source.pages(deps.db)) {
        soFar = { model, ...addCounts(soFar, await remapSource(deps, input, source, items)) }
        onPage?.(soFar)
      }
    if (soFar.read > 0) yield soFar
  }
}

async function remapSource(
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
    const now = await source.reread(tx, due)
    return source.store(tx, { connection, syncId: null, stamp }, now)
  })
  deps.notifier.notify(OUTBOX_TOPIC)
  return { ...counts, changed: written }
}

export class ConnectionDeleted extends Error {
  override readonly name = 'ConnectionDeleted'
}

/** What is being deleted is not written any more. */
async function requireNotDeleted(tx: Transaction, { id }: Connection): Promise<void> {
  const now = await findById(tx, Connection, id)
  if (!now || holds(now.status, 'isGone')) throw new ConnectionDeleted(`connection ${id} is being deleted`)
}
