/** Every column that holds something sealed. Its row's id is what it is sealed for; empty means that it is gone. */
export const sealedColumns: readonly { readonly table: string; readonly columns: readonly string[] }[] = [
  { table: 'connections', columns: ['tokenSealed', 'credentialsSealed'] },
  { table: 'webhook_secrets', columns: ['secretSealed'] },
  { table: 'link_runs', columns: ['credentialsSealed', 'oauthVerifierSealed'] },
]
