import type { Transaction } from '../../storage/database.ts'
import { one } from '../../storage/one.ts'
import { announce } from '../../storage/outbox.ts'
import { briefly, Connection } from '../../subgraphs/connections/connection.ts'
import { recordEvent } from '../../webhooks/payloads.ts'
import type { StoredModel } from './stored-models.ts'
import { toldRecords } from './told-records.ts'
import type { Change, Run } from './upsert.ts'

/** Announces the changes of a model that has events, one event for each. */
export async function announceChanges<Draft>(
  tx: Transaction,
  { events }: StoredModel<Draft>,
  { connection, stamp }: Run,
  providerName: string,
  changes: readonly Change[],
): Promise<void> {
  const told = events ? changes.filter(({ kind }) => events.told.includes(kind)) : []
  if (!events || told.length === 0) return
  // The run has the connection as it was when the sync began.
  const now = (await one(tx, Connection, connection.id)) ?? connection
  const brief = briefly(now, providerName)
  const rows = told.map(({ row }) => row)
  const records = await toldRecords[events.name](tx, now, rows)
  const origin = { applicationId: connection.applicationId, connectionId: connection.id, at: stamp }
  await announce(
    tx,
    origin,
    told.map(({ kind, row }, at) =>
      recordEvent(`${events.prefix}.${kind}`, events.name, row.id, records[at] ?? {}, brief),
    ),
  )
}
