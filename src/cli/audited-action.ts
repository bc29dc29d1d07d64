import { existsSync } from 'node:fs'
import type { Config } from '../platform/config/config.ts'
import type { Database } from '../storage/database.ts'
import { openDatabase } from '../storage/open-database.ts'
import { insertIntoFile, rowsOfFile } from '../storage/database-file.ts'
import { migrationState } from '../storage/migration-state.ts'
import { tableOf } from '../storage/sql/table.ts'
import { AuditEntry, auditedByOperator, toAuditEntry } from '../subgraphs/tables/audit-log.ts'
import { systemClock } from '../domain/time.ts'
import type { Output } from './output.ts'
import { databaseFileOf } from './command-context.ts'

type Detail = Readonly<Record<string, unknown>>

/** An operator's action that does not fit into one transaction: on files, on Redis, or page by page. */
export interface AuditedAction {
  readonly action: string
  readonly targetId?: string
  /** The application that it concerns; absent if it concerns the whole service. */
  readonly applicationId?: string
  readonly detail: Detail
  /** Returns more members for the audit entry, or null if there was nothing to do. */
  act(): Promise<Detail | null>
}

const table = tableOf(AuditEntry)

const newEntry = (
  action: string,
  detail: Detail,
  targetId: string | null = null,
  applicationId?: string,
): AuditEntry =>
  toAuditEntry(auditedByOperator(systemClock.now(), applicationId), { action, targetId, detail })

/**
 * Runs an action and records it in the audit log. The entry is written before the action, with the outcome `begun`, and
 * becomes `done` or `failed`. A process that dies in between leaves `begun`, so no action is unrecorded. If there was
 * nothing to do, the entry is removed.
 */
export async function auditAction(
  { db }: { readonly db: Pick<Database, 'transaction'> },
  { action, targetId, applicationId, detail, act }: AuditedAction,
): Promise<void> {
  const entry = newEntry(action, { ...detail, outcome: 'begun' }, targetId, applicationId)
  const end = (more: Detail) =>
    db.transaction((tx) => tx.upsert(table, [{ ...entry, detail: { ...detail, ...more } }]))
  await db.transaction((tx) => tx.insert(table, [entry]))
  let more: Detail | null
  try {
    more = await act()
  } catch (error) {
    await end({ outcome: 'failed' })
    throw error
  }
  if (more) await end({ ...more, outcome: 'done' })
  else await db.transaction((tx) => tx.run('DELETE FROM `audit_log` WHERE `id` = ?', [entry.id]))
}

/** Runs an action, and audits it unless there is no database yet or it lacks migrations. The latter prints a remark. */
export async function auditActionIfPossible(
  config: Config,
  output: Output,
  auditedAction: AuditedAction,
): Promise<void> {
  const sqlitePath = databaseFileOf(config)
  if (!config.mysqlUrl && !existsSync(sqlitePath)) return void (await auditedAction.act())
  const db = await openDatabase({ mysqlUrl: config.mysqlUrl, sqlitePath, poolSize: 1 })
  try {
    const { pending } = await migrationState(db)
    if (pending.length === 0) return await auditAction({ db }, auditedAction)
    output.say(NOT_AUDITED)
    await auditedAction.act()
  } finally {
    await db.close()
  }
}

const NOT_AUDITED = 'This is not in the audit log: the database is of an earlier version.'

/** Records an action in a copy of the database, before the copy replaces it: both take effect, or neither. */
export async function auditInFile(
  path: string,
  output: Output,
  action: string,
  detail: Detail,
): Promise<void> {
  const [log] = await rowsOfFile(path).rows("SELECT 1 FROM `sqlite_master` WHERE `name` = 'audit_log'")
  if (log) insertIntoFile(path, table, newEntry(action, detail))
  else output.say(NOT_AUDITED)
}
