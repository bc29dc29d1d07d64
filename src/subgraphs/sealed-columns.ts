interface SealedTable {
  readonly table: string
  readonly columns: readonly string[]
}

/** Every column that holds something sealed. Its rows have an id and an application; empty means that it is gone. */
export const sealedColumns = [
  { table: 'connections', columns: ['tokenSealed', 'credentialsSealed'] },
  { table: 'webhook_secrets', columns: ['secretSealed'] },
  { table: 'link_runs', columns: ['credentialsSealed', 'oauthVerifierSealed'] },
  { table: 'provider_webhooks', columns: ['tokenSealed', 'secretSealed'] },
] as const satisfies readonly SealedTable[]

type ColumnOf<Place> = Place extends {
  readonly table: infer Table extends string
  readonly columns: readonly (infer Column extends string)[]
}
  ? `${Table}.${Column}`
  : never

/** A row with something sealed in it. */
export interface SealedRow {
  readonly id: string
  readonly applicationId: string
}

/** What a value is sealed for. Nowhere else does it open: in no other column, no other row, and for nobody else. */
export const sealedFor = (column: ColumnOf<(typeof sealedColumns)[number]>, row: SealedRow): string =>
  contextOf(column, row)

/** The same for a column that is known by its name alone. */
export const contextOf = (column: string, { applicationId, id }: SealedRow): string =>
  `${column}/${applicationId}/${id}`
