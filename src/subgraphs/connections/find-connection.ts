import { type Caller, missingConnection } from '../../auth/caller.ts'
import { PublicError } from '../../domain/errors.ts'
import type { Rows, Transaction } from '../../storage/database.ts'
import { forUpdate } from '../../storage/sql/dialect.ts'
import { tableOf } from '../../storage/sql/table.ts'
import { and, equal, tenantWhere, type Tenant } from '../../storage/sql/where.ts'
import { onlyConnectionOf } from '../../domain/tenant-scope.ts'
import { hasStatusFlag, statesSql } from '../tables/connection-states.ts'
import { Connection } from './connection.ts'

const table = tableOf(Connection)

/** That a connection is neither archived nor going: what holds for whoever has something open on it. */
export const ACTIVE_CONNECTION = `\`status\` IN (${statesSql('isAccessible')})`

/** The connection that a caller means: that of its token, or of its application the one that it names. */
export async function findCallersConnection(
  db: Rows,
  caller: Caller,
  named: string | null | undefined,
): Promise<Connection> {
  const id = named ?? onlyConnectionOf(caller)
  if (id === null) throw missingConnection()
  return read(db, caller, id, '')
}

/** The same row for the rest of a transaction: who writes to a connection, waits for the others. */
export const lockConnection = (tx: Transaction, tenant: Tenant, id: string): Promise<Connection> =>
  read(tx, tenant, id, forUpdate(tx.dialect))

async function read(db: Rows, tenant: Tenant, id: string, lock: string): Promise<Connection> {
  const where = and(tenantWhere(tenant), equal('id', id))
  const [row] = await db.rows<Record<string, unknown>>(
    `SELECT ${table.selected} FROM \`connections\` WHERE ${where.sql}${lock}`,
    where.parameters,
  )
  if (!row) throw new PublicError('not_found', 'There is no such connection.')
  return table.toRow(row)
}

/** Writes the columns of a row that are given, and gives the row as it then is. */
export async function saveConnection(
  tx: Transaction,
  before: Connection,
  changes: Partial<Connection> & { readonly credentialsSealed?: string },
): Promise<Connection> {
  const after: Connection = { ...before, ...changes }
  const values = table.toValues(after)
  const columns = table.columns.filter((column) => column in changes)
  await tx.run(
    `UPDATE \`connections\` SET ${columns.map((column) => `\`${column}\` = ?`).join(', ')} WHERE \`id\` = ? AND \`applicationId\` = ?`,
    [...columns.map((column) => values[table.columns.indexOf(column)]), before.id, before.applicationId],
  )
  return after
}

/** Whether a connection is on its way out for good. */
export const isBeingDeleted = ({ status }: Pick<Connection, 'status'>): boolean =>
  hasStatusFlag(status, 'isDeleted')

export function requireNotDeleting(connection: Connection): void {
  if (isBeingDeleted(connection))
    throw new PublicError(
      'unprocessable_entity',
      `The connection is ${connection.status}: it cannot be changed.`,
    )
}
