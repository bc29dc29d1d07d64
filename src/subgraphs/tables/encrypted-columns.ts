interface EncryptedTable {
  readonly table: string
  readonly columns: readonly string[]
}

/** Every column that holds something sealed. Its rows have an id and an application; empty means that it is gone. */
export const encryptedColumns = [
  { table: 'connections', columns: ['tokenSealed', 'credentialsSealed'] },
  { table: 'webhook_secrets', columns: ['secretSealed'] },
  { table: 'link_runs', columns: ['credentialsSealed', 'oauthVerifierSealed'] },
  { table: 'provider_webhooks', columns: ['tokenSealed', 'secretSealed'] },
] as const satisfies readonly EncryptedTable[]

type ColumnOf<Place> = Place extends {
  readonly table: infer Table extends string
  readonly columns: readonly (infer Column extends string)[]
}
  ? `${Table}.${Column}`
  : never

/** A row with something sealed in it. */
export interface EncryptedRow {
  readonly id: string
  readonly applicationId: string
}

/** What a value is sealed for. Nowhere else does it open: in no other column, no other row, and for nobody else. */
export const encryptionContext = (
  column: ColumnOf<(typeof encryptedColumns)[number]>,
  row: EncryptedRow,
): string => encryptionContextByName(column, row)

/** The same for a column that is known by its name alone. */
export const encryptionContextByName = (column: string, { applicationId, id }: EncryptedRow): string =>
  `${column}/${applicationId}/${id}`
