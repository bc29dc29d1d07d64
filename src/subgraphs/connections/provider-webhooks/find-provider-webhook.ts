import type { EnvelopeEncryption } from '../../../auth/envelope-encryption.ts'
import type { Rows } from '../../../storage/database.ts'
import { tableOf } from '../../../storage/sql/table.ts'
import { encryptionContext } from '../../tables/encrypted-columns.ts'
import type { Connection } from '../connection.ts'
import { ProviderWebhook } from './provider-webhook.ts'

const table = tableOf(ProviderWebhook)

/** Returns the provider webhook of a connection. Null if it has none. */
export async function findProviderWebhook(
  db: Rows,
  { id, applicationId }: Pick<Connection, 'id' | 'applicationId'>,
): Promise<ProviderWebhook | null> {
  const [row] = await db.rows<Record<string, unknown>>(
    `SELECT ${table.selected} FROM \`provider_webhooks\` WHERE \`connectionId\` = ? AND \`applicationId\` = ?`,
    [id, applicationId],
  )
  return row ? table.toRow(row) : null
}

/** Decrypts the signing secret of the provider. Null until one is set. */
export const openWebhookSecret = (
  { secrets }: { readonly secrets: Pick<EnvelopeEncryption, 'open'> },
  row: Pick<ProviderWebhook, 'id' | 'applicationId' | 'secretSealed'>,
): string | null =>
  row.secretSealed === ''
    ? null
    : secrets.open(row.secretSealed, encryptionContext('provider_webhooks.secretSealed', row))
