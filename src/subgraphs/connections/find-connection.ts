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

/**
 * SQL condition that a connection is neither archived nor being deleted. Open streams and sessions require
 * it.
 */
export const ACTIVE_CONNECTION = `\`status\` IN (${statesSql('isAccessible')})`

/**
 * Finds the connection that a caller requests: by id within its application, or else by its connection token.
 */
export async function findCallersConnection(
  db: Rows,
  caller: Caller,
  requestedId: string | null | undefined,
): Promise<Connection> {
  const id = requestedId ?? onlyConnectionOf(caller)
  if (id === null) throw missingConnection()
  return readConnection(db, caller, id)
}

/** Locks a connection for the rest of a transaction. The lock serializes the writers of a connection. */
export const lockConnection = (tx: Transaction, tenant: Tenant, id: string): Promise<Connection> =>
  readConnection(tx, tenant, id, forUpdate(tx.dialect))

async function readConnection(db: Rows, tenant: Tenant, id: string, lockClause = ''): Promise<Connection> {
  const where = and(tenantWhere(tenant), equal('id', id))
  const [row] = await db.rows<Record<string, unknown>>(
    `SELECT ${table.selected} FROM \`connections\` WHERE ${where.sql}${lockClause}`,
    where.parameters,
  )
  if (!row) throw new PublicError('not_found', 'There is no such connection.')
  return table.toRow(row)
}

/** Updates the given columns of a connection and returns the new row. */
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

/** Whether the data of a connection is being deleted or has been deleted. */
export const isBeingDeleted = ({ status }: Pick<Connection, 'status'>): boolean =>
  hasStatusFlag(status, 'isDeleted')

/** Throws if the data of a connection is being deleted or has been deleted. */
export function requireNotDeleting(connection: Connection): void {
  if (isBeingDeleted(connection))
    throw new PublicError(
      'unprocessable_entity',
      `The connection is ${connection.status}: it cannot be changed.`,
    )
}
