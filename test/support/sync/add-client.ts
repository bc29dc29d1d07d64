import { hashKey, newConnectionToken, newSecretKey } from '../../../src/auth/keys.ts'
import type { Database } from '../../../src/storage/database.ts'
import { tableOf } from '../../../src/storage/sql/table.ts'
import { ApiKey } from '../../../src/subgraphs/connections/applications/application.ts'
import { keyRow, type ApiClient } from '../factories.ts'

/** Adds a secret key for the application of a connection, and a token for the connection. */
export async function addClient(db: Database, connectionId: string): Promise<ApiClient> {
  const [secretKey, token] = [newSecretKey('sandbox'), newConnectionToken()]
  const [row] = await db.rows<{ applicationId: ApiClient['applicationId'] }>(
    'SELECT `applicationId` FROM `connections` WHERE `id` = ?',
    [connectionId],
  )
  const { applicationId } = row!
  await db.transaction(async (tx) => {
    await tx.insert(tableOf(ApiKey), [keyRow(applicationId, secretKey)])
    await tx.run('UPDATE `connections` SET `tokenHash` = ? WHERE `id` = ?', [hashKey(token), connectionId])
  })
  return { applicationId, connectionId: connectionId as ApiClient['connectionId'], secretKey, token }
}
