import { PublicError } from '../../../../domain/errors.ts'
import type { Rows, Transaction } from '../../../../storage/database.ts'
import { forUpdate } from '../../../../storage/sql/dialect.ts'
import { tableOf } from '../../../../storage/sql/table.ts'
import { and, equal, tenantWhere, type Tenant } from '../../../../storage/sql/where.ts'
import type { Instant } from '../../../../domain/time.ts'
import { WebhookEndpoint } from '../webhook-endpoint.ts'

const table = tableOf(WebhookEndpoint)

/** An endpoint for the rest of a transaction: who changes it, waits for the others. */
export const lockEndpoint = (tx: Transaction, tenant: Tenant, id: string): Promise<WebhookEndpoint> =>
  read(tx, tenant, id, forUpdate(tx.dialect))

export const findEndpoint = (db: Rows, tenant: Tenant, id: string): Promise<WebhookEndpoint> =>
  read(db, tenant, id, '')

async function read(db: Rows, tenant: Tenant, id: string, lock: string): Promise<WebhookEndpoint> {
  const where = and(tenantWhere(tenant), equal('id', id))
  const [row] = await db.rows<Record<string, unknown>>(
    `SELECT ${table.selected} FROM \`webhook_endpoints\` WHERE ${where.sql}${lock}`,
    where.parameters,
  )
  if (!row) throw endpointNotFound()
  return table.toRow(row)
}

export const endpointNotFound = () => new PublicError('not_found', 'There is no such webhook endpoint.')

/** Writes the columns that are given, and gives the row as it then is. */
export async function saveEndpoint(
  tx: Transaction,
  before: WebhookEndpoint,
  changes: Partial<WebhookEndpoint>,
): Promise<WebhookEndpoint> {
  const after: WebhookEndpoint = { ...before, ...changes }
  const values = table.toValues(after)
  const columns = table.columns.filter((column) => column in changes)
  await tx.run(
    `UPDATE \`webhook_endpoints\` SET ${columns.map((column) => `\`${column}\` = ?`).join(', ')} WHERE \`id\` = ? AND \`applicationId\` = ?`,
    [...columns.map((column) => values[table.columns.indexOf(column)]), before.id, before.applicationId],
  )
  return after
}

/**
 * Has a worker look at an endpoint, and holds its progress for the rest of the transaction: whoever delivers to it
 * writes what came of that before or afterwards. Gives how far the log is turned into deliveries. It comes before
 * every change of deliveries, so that all lock in one order.
 */
export async function lockProgress(
  tx: Transaction,
  { id, applicationId }: Pick<WebhookEndpoint, 'id' | 'applicationId'>,
  now: Instant,
): Promise<number> {
  await tx.run(
    'UPDATE `webhook_progress` SET `wakeAt` = ? WHERE `endpointId` = ? AND `applicationId` = ? AND (`wakeAt` IS NULL OR `wakeAt` > ?)',
    [now, id, applicationId, now],
  )
  const [progress] = await tx.rows<{ position: number }>(
    `SELECT \`position\` FROM \`webhook_progress\` WHERE \`endpointId\` = ? AND \`applicationId\` = ?${forUpdate(tx.dialect)}`,
    [id, applicationId],
  )
  if (!progress) throw endpointNotFound()
  return Number(progress.position)
}
