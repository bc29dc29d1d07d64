import { PublicError } from '../../../../domain/errors.ts'
import type { Rows, Transaction } from '../../../../storage/database.ts'
import { forUpdate } from '../../../../storage/sql/dialect.ts'
import { tableOf } from '../../../../storage/sql/table.ts'
import { and, equal, tenantWhere, type Tenant } from '../../../../storage/sql/where.ts'
import type { Instant } from '../../../../domain/time.ts'
import { WebhookEndpoint } from '../webhook-endpoint.ts'

const table = tableOf(WebhookEndpoint)

/** Loads an endpoint and locks its row until the end of the transaction. */
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

/** Writes the changed columns. Returns the new row. */
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
 * Makes an endpoint due for a worker and locks its progress until the end of the transaction. The worker's results
 * are written before or after. Returns the log position up to which deliveries exist. Call it before every change of
 * deliveries, so that all transactions lock in one order.
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
