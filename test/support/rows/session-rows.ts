import type { Caller } from '../../../src/auth/caller.ts'
import { type SessionScope, sessionScopes } from '../../../src/auth/session-scopes.ts'
import { newId } from '../../../src/domain/ids.ts'
import type { Database } from '../../../src/storage/database.ts'
import { tableOf } from '../../../src/storage/sql/table.ts'
import { Session } from '../../../src/subgraphs/connections/sessions/session.ts'
import { DAY, NOON, type ApiClient, type SeededApplication } from '../factories.ts'

/** Later than any test clock. */
const LATE = NOON + 36_500 * DAY

/** Returns a client with a session for some or all connections of an application. The session is not stored. */
export function sessionOver(
  { client, connections }: Pick<SeededApplication, 'client' | 'connections'>,
  at: readonly number[] | null,
  scopes: readonly SessionScope[] = sessionScopes,
): ApiClient {
  const caller: Caller = {
    applicationId: client.applicationId,
    connectionIds: at && at.map((place) => connections[place]!.connection.id).sort(),
    key: null,
    session: {
      id: newId('session'),
      name: null,
      role: null,
      scopes,
      keyScopes: null,
      expiresAt: LATE,
    },
  }
  return { ...client, caller }
}

/** Stores sessions that do not expire. */
export async function seedSessions(
  db: Database,
  applicationId: string,
  count: number,
  values: Partial<Session> = {},
): Promise<Session[]> {
  const rows = Array.from({ length: count }, (): Session => ({
    id: newId('session'),
    applicationId,
    name: null,
    role: null,
    connectionIds: null,
    scopes: [...sessionScopes],
    createdAt: NOON,
    expiresAt: LATE,
    revokedAt: null,
    keyId: null,
    signInCodeHash: null,
    ...values,
  }))
  await db.transaction((tx) => tx.insert(tableOf(Session), rows))
  return rows
}
