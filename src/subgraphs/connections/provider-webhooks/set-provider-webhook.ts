import type { Caller } from '../../../auth/caller.ts'
import { hashKey, newHookToken } from '../../../auth/keys.ts'
import { PublicError, invalidMember } from '../../../domain/errors.ts'
import { newId } from '../../../domain/ids.ts'
import type { NotificationReader } from '../../../providers/webhook-notifications.ts'
import type { Transaction } from '../../../storage/database.ts'
import { tableOf } from '../../../storage/sql/table.ts'
import { auditedBy, recordAudit } from '../../tables/audit-log.ts'
import { encryptionContext } from '../../tables/encrypted-columns.ts'
import type { Connection } from '../connection.ts'
import { lockConnection, findCallersConnection, requireNotDeleting } from '../find-connection.ts'
import { type ConnectionCommandDeps, providerNameOf } from '../command-deps.ts'
import { ProviderWebhook } from './provider-webhook.ts'
import { openWebhookSecret, findProviderWebhook } from './find-provider-webhook.ts'

export interface ProviderWebhookInput {
  readonly connectionId?: string | null
  /** Signing secret of the provider. If absent, the previous secret stays. */
  readonly secret?: string | null
}

export interface SetProviderWebhookResult {
  /** Token at the end of the URL to which the provider sends its messages. */
  readonly token: string
  /** Whether messages are accepted. False until the secret is set, for a provider that signs its messages. */
  readonly isReady: boolean
}

const MAX_SECRET_LENGTH = 1000

type WebhookDeps = Pick<ConnectionCommandDeps, 'db' | 'registry' | 'secrets' | 'clock'>

/**
 * Creates the provider webhook of a connection if it has none, and stores the signing secret of the provider.
 * The URL is valid until the webhook is removed.
 */
export async function setProviderWebhook(
  deps: WebhookDeps,
  caller: Caller,
  { connectionId, secret }: ProviderWebhookInput,
): Promise<SetProviderWebhookResult> {
  checkSecret(secret)
  const connection = await findCallersConnection(deps.db, caller, connectionId)
  const notifications = notificationReaderOf(deps, connection)
  return deps.db.transaction(async (tx) => {
    const locked = await lockConnection(tx, caller, connection.id)
    requireNotDeleting(locked)
    const existing = await findProviderWebhook(tx, locked)
    const row = existing ?? newWebhook(deps, locked)
    const currentSecret = openWebhookSecret(deps, row)
    const isNewSecret = secret != null && secret !== currentSecret
    if (existing === null || isNewSecret) {
      const changed = isNewSecret ? { ...row, secretSealed: encryptSecret(deps, row, secret) } : row
      await save(tx, changed, existing)
      const detail = { secretGiven: isNewSecret }
      await recordAudit(tx, auditedBy(caller, deps.clock.now()), {
        action: 'provider_webhook.set',
        targetId: locked.id,
        detail,
      })
    }
    return {
      token: deps.secrets.open(row.tokenSealed, encryptionContext('provider_webhooks.tokenSealed', row)),
      isReady: !notifications.needsSecret || (secret ?? currentSecret) !== null,
    }
  })
}

function checkSecret(secret: string | null | undefined): void {
  if (secret == null || (secret !== '' && secret.length <= MAX_SECRET_LENGTH)) return
  throw invalidMember('secret', `\`secret\` must have 1 to ${MAX_SECRET_LENGTH} characters.`)
}

function notificationReaderOf(deps: WebhookDeps, { provider }: Connection): NotificationReader {
  const notifications = deps.registry.find(provider)?.notifications
  if (notifications) return notifications
  throw new PublicError(
    'not_implemented',
    `${providerNameOf(deps, provider)} sends no messages about new data, so it needs no webhook.`,
  )
}

const encryptSecret = ({ secrets }: WebhookDeps, row: ProviderWebhook, secret: string): string =>
  secrets.seal(secret, encryptionContext('provider_webhooks.secretSealed', row))

function newWebhook(
  { secrets, clock }: WebhookDeps,
  { id: connectionId, applicationId }: Connection,
): ProviderWebhook {
  const now = clock.now()
  const row = { id: newId('providerWebhook', now), applicationId }
  const token = newHookToken()
  return {
    ...row,
    connectionId,
    tokenHash: hashKey(token),
    tokenSealed: secrets.seal(token, encryptionContext('provider_webhooks.tokenSealed', row)),
    secretSealed: '',
    createdAt: now,
    syncDueAt: null,
    pollDueAt: null,
    syncedAt: null,
    polledAt: null,
  }
}

async function save(tx: Transaction, row: ProviderWebhook, existing: ProviderWebhook | null): Promise<void> {
  if (existing === null) return tx.insert(tableOf(ProviderWebhook), [row])
  await tx.run('UPDATE `provider_webhooks` SET `secretSealed` = ? WHERE `id` = ? AND `applicationId` = ?', [
    row.secretSealed,
    row.id,
    row.applicationId,
  ])
}
