import type { Transaction } from '../../../storage/database.ts'
import { findById } from '../../../storage/find-by-id.ts'
import { appendEvents } from '../../../storage/outbox.ts'
import { Connection } from '../../../subgraphs/connections/connection.ts'
import { toEventReference } from '../../../subgraphs/tables/connection-reference.ts'
import type { StoredModel } from '../stored-models.ts'
import { snapshotsOf } from './event-snapshots.ts'
import { withoutHidden } from './without-hidden.ts'
import type { Change } from '../diff-page.ts'
import type { WriteContext } from '../write-context.ts'

/**
 * Appends one event for each change, if the model has events for this kind of change. Changes of hidden records have
 * none.
 */
export async function emitChangeEvents<Normalized>(
  tx: Transaction,
  model: StoredModel<Normalized>,
  { connection, stamp }: WriteContext,
  providerName: string,
  changes: readonly Change[],
): Promise<void> {
  const { events } = model
  const known = events ? changes.filter(({ kind }) => kind in events.types) : []
  if (!events || known.length === 0) return
  // `connection` has the state from the start of the sync, but events describe the current state.
  const current = (await findById(tx, Connection, connection.id)) ?? connection
  const emitted = await withoutHidden(tx, current, model, known)
  if (emitted.length === 0) return
  const reference = toEventReference(current, providerName)
  const rows = emitted.map(({ row }) => row)
  const records = await snapshotsOf(tx, current, model, rows)
  const origin = { applicationId: connection.applicationId, connectionId: connection.id, at: stamp }
  await appendEvents(
    tx,
    origin,
    emitted.map(({ kind, row }, index) => ({
      type: `${events.prefix}.${kind}`,
      subjectId: row.id,
      detail: { [events.member]: records[index] ?? {}, connection: reference },
    })),
  )
}
