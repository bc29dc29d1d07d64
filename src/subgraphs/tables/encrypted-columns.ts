interface EncryptedTable {
  readonly table: string
  readonly columns: readonly string[]
}

/**
 * All columns with encrypted values; `reencrypt` reads this list. An empty value or null means that no secret is set.
 */
export const encryptedColumns = [
  { table: 'connections', columns: ['tokenSealed', 'credentialsSealed'] },
  { table: 'webhook_endpoints', columns: ['headersSealed'] },
  { table: 'webhook_secrets', columns: ['secretSealed'] },
  { table: 'link_runs', columns: ['credentialsSealed', 'oauthVerifierSealed'] },
  { table: 'provider_webhooks', columns: ['tokenSealed', 'secretSealed'] },
  { table: 'idempotency_keys', columns: ['answerSealed'] },
  { table: 'card_network_endpoints', columns: ['secretSealed'] },
] as const satisfies readonly EncryptedTable[]

type ColumnOf<Entry> = Entry extends {
  readonly table: infer Table extends string
  readonly columns: readonly (infer Column extends string)[]
}
  ? `${Table}.${Column}`
  : never

/** Row with an encrypted value. */
export interface EncryptedRow {
  readonly id: string
  readonly applicationId: string
}

/** Returns the encryption context of a value. The value decrypts only in the same column, row and application. */
export const encryptionContext = (
  column: ColumnOf<(typeof encryptedColumns)[number]>,
  row: EncryptedRow,
): string => encryptionContextByName(column, row)

/** Returns the encryption context for a column name that is known only at run time. */
export const encryptionContextByName = (column: string, { applicationId, id }: EncryptedRow): string =>
  `${column}/${applicationId}/${id}`
