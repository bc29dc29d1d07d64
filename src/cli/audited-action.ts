import { existsSync } from 'node:fs'
import type { Config } from '../platform/config/config.ts'
import type { Database } from '../storage/database.ts'
import { openDatabase } from '../storage/open-database.ts'
import { insertIntoFile, rowsOfFile } from '../storage/sqlite/database-file.ts'
import { migrationState } from '../storage/migration-state.ts'
import { tableOf } from '../storage/sql/table.ts'
import { AuditEntry, auditedByOperator, toAuditEntry } from '../subgraphs/tables/audit-log.ts'
import { systemClock } from '../domain/time.ts'
import type { Output } from './output.ts'
import { databaseFileOf } from './command-context.ts'

type Detail = Readonly<Record<string, unknown>>

/**
 * An operator's action that cannot commit in one transaction with its audit entry: it changes files or Redis, or it
 * changes the database in several transactions.
 */
export interface AuditedAction {
  readonly action: string
  readonly targetId?: string
  /** The application that the action concerns; absent if it concerns the whole service. */
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
 * Runs an action and records it in the audit log. The entry is written before the action, with the outcome `begun`.
 * After the action, the outcome becomes `done` or `failed`. If the process dies during the action, the outcome stays
 * `begun`, so no action is unrecorded. If there was nothing to do, the entry is removed.
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

/**
 * Runs an action, and audits it if a database exists and has all migrations. If migrations are missing, it runs the
 * action without an audit entry and prints a remark.
 */
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

/**
 * Records an action in the audit log of a database file that is about to replace the database. The action and its entry
 * therefore take effect together. If the file has no audit log, it prints a remark instead.
 */
export async function auditInFile(
  path: string,
  output: Output,
  action: string,
  detail: Detail,
): Promise<void> {
  const [auditLog] = await rowsOfFile(path).rows("SELECT 1 FROM `sqlite_master` WHERE `name` = 'audit_log'")
  if (auditLog) insertIntoFile(path, table, newEntry(action, detail))
  else output.say(NOT_AUDITED)
}
