import type { NewEvent } from './outbox.ts'

type Detail = Readonly<Record<string, unknown>>

/** What an event tells of a record: the record as it is in the transaction that changes it, and its connection. */
export const recordEvent = (
  type: string,
  name: string,
  subjectId: string,
  record: Detail,
  connection: Detail,
): NewEvent => ({ type, subjectId, detail: { [name]: record, connection } })
