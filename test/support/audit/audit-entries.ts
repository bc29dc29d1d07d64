import { newId } from '../../../src/domain/ids.ts'
import type { Database } from '../../../src/storage/database.ts'
import { tableOf } from '../../../src/storage/sql/table.ts'
import { AuditEntry } from '../../../src/subgraphs/tables/audit-log.ts'
import { NOON } from '../factories.ts'

/** Stores audit log entries, oldest first, one second apart. */
export async function seedAuditEntries(
  db: Database,
  applicationId: string,
  count: number,
  values: Partial<AuditEntry> = {},
): Promise<AuditEntry[]> {
  const rows = Array.from({ length: count }, (_, index): AuditEntry => ({
    id: newId('auditEntry'),
    applicationId,
    at: NOON + index * 1000,
    actorKind: 'key',
    actorId: 'key_1',
    actorName: null,
    action: 'connection.updated',
    targetId: `conn_${index}`,
    detail: { changed: ['tags'] },
    ...values,
  }))
  await db.transaction((tx) => tx.insert(tableOf(AuditEntry), rows))
  return rows
}
