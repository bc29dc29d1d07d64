import type { NewEvent } from './outbox.ts'

type Detail = Readonly<Record<string, unknown>>

/** Event about a record, with the record and its connection as they are in the transaction of the change. */
export const recordEvent = (
  type: string,
  name: string,
  subjectId: string,
  record: Detail,
  connection: Detail,
): NewEvent => ({ type, subjectId, detail: { [name]: record, connection } })
