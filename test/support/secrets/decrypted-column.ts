import type { EnvelopeEncryption } from '../../../src/auth/envelope-encryption.ts'
import { encryptionContextByName } from '../../../src/subgraphs/tables/encrypted-columns.ts'

type Row = Readonly<Record<string, unknown>>

/** Decrypts a column of a stored row, such as `connections.tokenSealed`. */
export const decryptedColumn = (
  encryption: Pick<EnvelopeEncryption, 'open'>,
  column: string,
  row: Row,
): string => encryption.open(String(row[column.slice(column.indexOf('.') + 1)]), contextIn(column, row))

/** Returns the encryption context of a column. */
export const contextIn = (column: string, row: Row): string =>
  encryptionContextByName(column, { id: String(row['id']), applicationId: String(row['applicationId']) })
