import type { EnvelopeEncryption } from '../../../src/auth/envelope-encryption.ts'
import { encryptionContextByName } from '../../../src/subgraphs/tables/encrypted-columns.ts'

type Row = Readonly<Record<string, unknown>>

/** What is sealed in a column, such as `connections.tokenSealed`, of a row as it is stored. */
export const openedIn = (box: Pick<EnvelopeEncryption, 'open'>, column: string, row: Row): string =>
  box.open(String(row[column.slice(column.indexOf('.') + 1)]), contextIn(column, row))

/** What it is sealed for. */
export const contextIn = (column: string, row: Row): string =>
  encryptionContextByName(column, { id: String(row['id']), applicationId: String(row['applicationId']) })
