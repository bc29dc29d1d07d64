import type { EnvelopeEncryption } from '../../../auth/envelope-encryption.ts'
import type { Rows } from '../../../storage/database.ts'
import { tableOf } from '../../../storage/sql/table.ts'
import { encryptionContext } from '../../tables/encrypted-columns.ts'
import type { Connection } from '../connection.ts'
import { ProviderWebhook } from './provider-webhook.ts'

const table = tableOf(ProviderWebhook)

/** Where the provider of a connection tells of news; null where it has not been told to. */
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

/** What the provider signs with; null until it is given. */
export const openWebhookSecret = (
  { secrets }: { readonly secrets: Pick<EnvelopeEncryption, 'open'> },
  row: Pick<ProviderWebhook, 'id' | 'applicationId' | 'secretSealed'>,
): string | null =>
  row.secretSealed === ''
    ? null
    : secrets.open(row.secretSealed, encryptionContext('provider_webhooks.secretSealed', row))
