import { existsSync } from 'node:fs'
import type { Config } from '../platform/config/config.ts'
import { type Database, openDatabase } from '../storage/database.ts'
import { insertIntoFile, rowsOfFile } from '../storage/database-file.ts'
import { migrationState } from '../storage/migration-state.ts'
import { tableOf } from '../storage/sql/table.ts'
import { AuditEntry, auditedByOperator, toAuditEntry } from '../subgraphs/tables/audit-log.ts'
import { systemClock } from '../domain/time.ts'
import type { Output } from './output.ts'
import { databaseFileOf } from './command-context.ts'

type Detail = Readonly<Record<string, unknown>>

/** What an operator does that no one transaction holds: to files, to Redis, or page by page. */
export interface AuditedAction {
  readonly action: string
  readonly targetId?: string
  /** Whose it is; without it that of the service as a whole. */
  readonly applicationId?: string
  readonly detail: Detail
  /** Gives what else there is to say of it; null where nothing was there to do. */
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
 * Does something that is remembered before it begins, with its outcome when it is over: `done` or `failed`. Who dies in
 * between leaves it as `begun`, so that nothing is done unseen. Where nothing was there to do, nothing is remembered.
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

/** The same where there may be no database yet, or one that is older than the audit log: that is only remarked on. */
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

const NOT_AUDITED = 'The audit log does not tell of this: the database is of an earlier version.'

/** Remembers in a copy of a database, before it takes its place, that it did: then both are so or neither is. */
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
