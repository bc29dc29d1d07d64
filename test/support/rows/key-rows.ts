import { type Caller, keyHolder } from '../../../src/auth/caller.ts'
import type { KeyScope } from '../../../src/auth/key-scopes.ts'
import { newId } from '../../../src/domain/ids.ts'
import type { Database } from '../../../src/storage/database.ts'
import { tableOf } from '../../../src/storage/sql/table.ts'
import { ApiKey } from '../../../src/subgraphs/connections/applications/application.ts'
import { newKey, type NewKey } from '../../../src/subgraphs/connections/applications/keys/new-key.ts'
import type { ApiClient, SeededApplication } from '../factories.ts'

/** Returns a client whose key has these scopes. The key is not stored. */
export const keyOver = (
  { client }: Pick<SeededApplication, 'client'>,
  scopes: readonly KeyScope[] | null,
): ApiClient => ({
  ...client,
  caller: keyHolder(client.applicationId, client.connectionId, { id: newId('key'), scopes, expiresAt: null }),
})

/** Stores a key of an application. */
export async function seedKey(
  db: Database,
  applicationId: string,
  values: Partial<ApiKey> = {},
): Promise<NewKey> {
  const now = Date.now()
  const made = newKey({ id: applicationId, environment: 'sandbox' }, { use: 'secret', ...values }, now)
  await db.transaction((tx) => tx.insert(tableOf(ApiKey), [made.key]))
  return made
}

/** Returns a client with a stored key. The Authorization header alone identifies it. */
export const clientOf = ({ id, client }: SeededApplication, { key, value }: NewKey): ApiClient => ({
  ...client,
  secretKey: value,
  caller: keyHolder(id, null, { id: key.id, scopes: key.scopes, expiresAt: key.expiresAt }),
})

export const adminOf = (applicationId: string, keyId: string = newId('key')): Caller =>
  keyHolder(applicationId, null, { id: keyId, scopes: ['admin'], expiresAt: null })
