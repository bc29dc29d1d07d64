import type { Announcement } from '../storage/outbox.ts'
import { briefly, type Connection } from '../subgraphs/connections/connection.ts'
import type { Sync } from '../subgraphs/connections/sync.ts'
import { toIso } from '../time.ts'

/** What events tell: the record as it is in the transaction that changes it, in the words of `/tsp/v1`. */

type Detail = Readonly<Record<string, unknown>>

export const syncEvent = (
  type: string,
  sync: Sync,
  connection: Connection,
  providerName: string,
): Announcement => ({
  type,
  subjectId: sync.id,
  detail: { connection: briefly(connection, providerName), sync: syncDetail(sync) },
})

export const connectionEvent = (
  type: string,
  connection: Connection,
  providerName: string,
): Announcement => ({
  type,
  subjectId: connection.id,
  detail: { connection: { ...briefly(connection, providerName), status: connection.status } },
})

export const recordEvent = (
  type: string,
  name: string,
  subjectId: string,
  record: Detail,
  connection: Detail,
): Announcement => ({ type, subjectId, detail: { [name]: record, connection } })

const syncDetail = ({ id, status, requestedAt, completedAt, failureReason, progress }: Sync): Detail =>
  present({
    id,
    status,
    requestedAt: toIso(requestedAt),
    completedAt: iso(completedAt),
    failureReason,
    progress,
  })

const iso = (at: number | null) => (at === null ? null : toIso(at))

/** Without the members that are not known. */
export const present = (detail: Detail): Detail =>
  Object.fromEntries(Object.entries(detail).filter(([, value]) => value !== null && value !== undefined))
