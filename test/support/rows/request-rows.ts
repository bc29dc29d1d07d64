import { newId } from '../../../src/domain/ids.ts'
import type { Database } from '../../../src/storage/database.ts'
import { tableOf } from '../../../src/storage/sql/table.ts'
import { LoggedRequest } from '../../../src/subgraphs/connections/requests/logged-request.ts'
import { idAt, NOON } from '../factories.ts'

/** Stores requests of an application in the request log, oldest first, one second apart. */
export async function seedRequests(
  db: Database,
  applicationId: string,
  count: number,
  values: Partial<LoggedRequest> = {},
  loggedAt?: number,
): Promise<LoggedRequest[]> {
  const rows = Array.from({ length: count }, (_, index): LoggedRequest => {
    const id = loggedAt === undefined ? newId('loggedRequest') : idAt('loggedRequest', loggedAt)
    return {
      id,
      requestId: `of-${id}`,
      at: NOON + index * 1000,
      applicationId,
      connectionId: null,
      keyId: 'key_1',
      sessionId: null,
      interface: 'rest',
      operation: 'GET /tsp/v1/vehicles',
      documentHash: null,
      cost: 100,
      status: 200,
      errorCode: null,
      durationMs: 12.5,
      ...values,
    }
  })
  await db.transaction((tx) => tx.insert(tableOf(LoggedRequest), rows))
  return rows
}
