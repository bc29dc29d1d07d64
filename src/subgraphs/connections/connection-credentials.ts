import type { ProviderCredentials } from '../../providers/provider.ts'
import type { ConnectionWritesFrom } from './writes-from.ts'

/** What opens a connection's account at its provider. */
export async function credentialsOf(
  { db, secrets }: Pick<ConnectionWritesFrom, 'db' | 'secrets'>,
  connectionId: string,
): Promise<ProviderCredentials> {
  const [row] = await db.rows<{ credentialsSealed: string }>(
    'SELECT `credentialsSealed` FROM `connections` WHERE `id` = ?',
    [connectionId],
  )
  if (!row) throw new Error(`connection ${connectionId} is gone`)
  return JSON.parse(secrets.open(row.credentialsSealed, connectionId)) as ProviderCredentials
}
