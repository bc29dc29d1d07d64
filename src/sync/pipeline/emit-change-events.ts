import type { Transaction } from '../../storage/database.ts'
import { findById } from '../../storage/find-by-id.ts'
import { appendEvents } from '../../storage/outbox.ts'
import { toEventReference, Connection } from '../../subgraphs/connections/connection.ts'
import { recordEvent } from '../../storage/record-event.ts'
import type { StoredModel } from './stored-models.ts'
import { eventSnapshots } from './event-snapshots.ts'
import type { Change } from './diff-page.ts'
import type { WriteContext } from './write-context.ts'

/** Announces the changes of a model that has events, one event for each. */
export async function emitChangeEvents<Draft>(
  tx: Transaction,
  { events }: StoredModel<Draft>,
  { connection, stamp }: WriteContext,
  providerName: string,
  changes: readonly Change[],
): Promise<void> {
  const told = events ? changes.filter(({ kind }) => events.emittedKinds.includes(kind)) : []
  if (!events || told.length === 0) return
  // The run has the connection as it was when the sync began.
  const now = (await findById(tx, Connection, connection.id)) ?? connection
  const brief = toEventReference(now, providerName)
  const rows = told.map(({ row }) => row)
  const records = await eventSnapshots[events.name](tx, now, rows)
  const origin = { applicationId: connection.applicationId, connectionId: connection.id, at: stamp }
  await appendEvents(
    tx,
    origin,
    told.map(({ kind, row }, at) =>
      recordEvent(`${events.prefix}.${kind}`, events.name, row.id, records[at] ?? {}, brief),
    ),
  )
}
