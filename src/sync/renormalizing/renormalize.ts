import { type KeptModel, keptModels } from '../../models.ts'
import type { ProviderAdapter } from '../../providers/provider.ts'
import type { Doorbell } from '../../queue/doorbell.ts'
import type { Database, Transaction } from '../../storage/database.ts'
import { one } from '../../storage/one.ts'
import { OUTBOX_TOPIC } from '../../storage/outbox.ts'
import { holds } from '../../subgraphs/connection-states.ts'
import { Connection } from '../../subgraphs/connections/connection.ts'
import type { Clock } from '../../time.ts'
import { stamped } from '../../intake/stamp.ts'
import { type Counts, nothing, type Renormalized, sum } from './renormalized.ts'
import type { Kept, Source, Whose } from './source.ts'
import { sourcesOf } from './sources.ts'

interface Tools {
  readonly db: Database
  readonly clock: Clock
  readonly doorbell: Pick<Doorbell, 'ring'>
}

interface Wish {
  readonly connection: Connection
  readonly adapter: ProviderAdapter
  readonly models?: readonly KeptModel[]
  /** Only looks what it would change. */
  readonly dryRun?: boolean
  /** Hears how far a model is. */
  readonly onPage?: (soFar: Renormalized) => void
}

/**
 * Maps again what a provider sent, as it is kept, with the present mapping: nothing is fetched. It is written as by a
 * sync, a page and its events at once and in turn with the syncs of the connection; what says the same is left alone.
 * So it can be run beside them, and again after it was stopped. Gives what became of each model, one after another.
 */
export async function* renormalize(tools: Tools, wish: Wish): AsyncGenerator<Renormalized> {
  const { connection, adapter, models = keptModels, onPage } = wish
  const whose: Whose = { connection, providerName: adapter.manifest.name }
  for (const model of keptModels.filter((one) => models.includes(one))) {
    let soFar: Renormalized = { model, ...nothing }
    for (const source of sourcesOf(whose, adapter, model))
      for await (const items of source.pages(tools.db)) {
        soFar = { model, ...sum(soFar, await mapAgain(tools, wish, source, items)) }
        onPage?.(soFar)
      }
    if (soFar.read > 0) yield soFar
  }
}

async function mapAgain(
  tools: Tools,
  { connection, dryRun = false }: Wish,
  source: Source<Kept>,
  items: readonly Kept[],
): Promise<Counts> {
  const { unreadable, moved, due, changed } = await source.look(tools.db, items)
  const counts = { read: items.length, unreadable, moved }
  if (dryRun || due.length === 0) return { ...counts, changed }
  const written = await stamped(tools, connection, async (tx, stamp) => {
    await refuseGone(tx, connection)
    const now = await source.again(tx, due)
    return source.store(tx, { connection, syncId: null, stamp }, now)
  })
  tools.doorbell.ring(OUTBOX_TOPIC)
  return { ...counts, changed: written }
}

export class ConnectionGone extends Error {
  override readonly name = 'ConnectionGone'
}

/** What is being deleted is not written any more. */
async function refuseGone(tx: Transaction, { id }: Connection): Promise<void> {
  const now = await one(tx, Connection, id)
  if (!now || holds(now.status, 'isGone')) throw new ConnectionGone(`connection ${id} is being deleted`)
}
