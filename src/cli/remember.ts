import { existsSync } from 'node:fs'
import type { Config } from '../config.ts'
import { type Database, openDatabase } from '../storage/database.ts'
import { migrationState } from '../storage/migration-state.ts'
import { byOperator, remember } from '../subgraphs/audit.ts'
import { systemClock } from '../time.ts'
import type { Output } from './output.ts'
import { databaseFileOf } from './tools.ts'

type Detail = Readonly<Record<string, unknown>>

/** Remembers what an operator has done to the service as a whole. */
export const rememberForService = (
  { db }: { readonly db: Pick<Database, 'transaction'> },
  action: string,
  detail: Detail,
): Promise<void> =>
  db.transaction((tx) => remember(tx, byOperator(systemClock.now()), { action, targetId: null, detail }))

/**
 * The same for a command that works on files or on Redis: it is done already, so a database that is not there yet, or
 * is older than the audit log, is only remarked on.
 */
export async function rememberIfThere(
  config: Config,
  output: Output,
  action: string,
  detail: Detail,
): Promise<void> {
  const sqlitePath = databaseFileOf(config)
  if (!config.mysqlUrl && !existsSync(sqlitePath)) return
  const db = await openDatabase({ mysqlUrl: config.mysqlUrl, sqlitePath, poolSize: 1 })
  try {
    const { pending } = await migrationState(db)
    if (pending.length === 0) await rememberForService({ db }, action, detail)
    else output.say('The audit log does not tell of this: the database is of an earlier version.')
  } finally {
    await db.close()
  }
}
