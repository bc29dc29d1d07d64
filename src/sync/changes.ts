import type { Transaction } from '../storage/database.ts'
import { announce, present } from '../storage/outbox.ts'
import { briefly } from '../subgraphs/connections/connection.ts'
import type { Sourced } from '../subgraphs/sourced.ts'
import { recordEvent } from '../webhooks/payloads.ts'
import type { StoredModel } from './stored-models.ts'
import type { Change, Run } from './upsert.ts'

/** Announces the changes of a model that has events, one event for each; gives how many. */
export async function announceChanges<Draft>(
  tx: Transaction,
  { events }: StoredModel<Draft>,
  { connection, stamp }: Run,
  providerName: string,
  changes: readonly Change[],
): Promise<number> {
  if (!events) return 0
  const brief = briefly(connection, providerName)
  const told = changes.filter(({ kind }) => events.told.includes(kind))
  const origin = { applicationId: connection.applicationId, connectionId: connection.id, at: stamp }
  await announce(
    tx,
    origin,
    told.map(({ kind, row }) =>
      recordEvent(`${events.prefix}.${kind}`, events.name, row.id, detailOf(row), brief),
    ),
  )
  return told.length
}

const bookkeeping = new Set(['applicationId', 'connectionId', 'contentHash', 'rawHash', 'seenIn'])

const detailOf = (row: Sourced) =>
  present(Object.fromEntries(Object.entries(row).filter(([name]) => !bookkeeping.has(name))))
