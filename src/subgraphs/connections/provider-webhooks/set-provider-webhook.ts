import type { Caller } from '../../../auth/caller.ts'
import { hashOf, newHookToken } from '../../../auth/keys.ts'
import { PublicError } from '../../../errors.ts'
import { newId } from '../../../ids.ts'
import type { Hints } from '../../../providers/hints.ts'
import type { Transaction } from '../../../storage/database.ts'
import { tableOf } from '../../../storage/table.ts'
import { by, remember } from '../../audit.ts'
import { sealedFor } from '../../sealed-columns.ts'
import { refused } from '../check-input.ts'
import type { Connection } from '../connection.ts'
import { heldConnection, meantConnection, refuseGone } from '../meant-connection.ts'
import { type ConnectionWritesFrom, providerNameOf } from '../writes-from.ts'
import { ProviderWebhook } from './provider-webhook.ts'
import { secretOf, webhookOf } from './webhook-of.ts'

export interface ProviderWebhookWish {
  readonly connectionId?: string | null
  /** What the provider signs with; the one that was given before stays where it is absent. */
  readonly secret?: string | null
}

export interface SetProviderWebhook {
  /** What stands at the end of its address. */
  readonly token: string
  /** Whether its messages are taken from now on, or only once the provider's secret is given. */
  readonly isReady: boolean
}

const MOST_SECRET = 1000

type From = Pick<ConnectionWritesFrom, 'db' | 'registry' | 'secrets' | 'clock'>

/**
 * Gives a connection an address to which its provider tells that there is something new, and keeps the secret that the
 * provider signs with. The address stays until it is removed.
 */
export async function setProviderWebhook(
  from: From,
  caller: Caller,
  { connectionId, secret }: ProviderWebhookWish,
): Promise<SetProviderWebhook> {
  checkSecret(secret)
  const connection = await meantConnection(from.db, caller, connectionId)
  const hints = hintsOf(from, connection)
  return from.db.transaction(async (tx) => {
    const held = await heldConnection(tx, caller, connection.id)
    refuseGone(held)
    const before = await webhookOf(tx, held)
    const row = before ?? newWebhook(from, held)
    const known = secretOf(from, row)
    const isNews = secret != null && secret !== known
    if (before === null || isNews) {
      await save(tx, isNews ? { ...row, secretSealed: sealed(from, row, secret) } : row, before)
      const detail = { secretGiven: isNews }
      await remember(tx, by(caller, from.clock.now()), {
        action: 'provider_webhook.set',
        targetId: held.id,
        detail,
      })
    }
    return {
      token: from.secrets.open(row.tokenSealed, sealedFor('provider_webhooks.tokenSealed', row)),
      isReady: !hints.needsSecret || (secret ?? known) !== null,
    }
  })
}

function checkSecret(secret: string | null | undefined): void {
  if (secret == null || (secret !== '' && secret.length <= MOST_SECRET)) return
  throw refused('secret', `\`secret\` must have 1 to ${MOST_SECRET} characters.`)
}

function hintsOf(from: From, { provider }: Connection): Hints {
  const hints = from.registry.find(provider)?.hints
  if (hints) return hints
  throw new PublicError(
    'not_implemented',
    `${providerNameOf(from, provider)} has no webhooks that say when to read it.`,
  )
}

const sealed = ({ secrets }: From, row: ProviderWebhook, secret: string): string =>
  secrets.seal(secret, sealedFor('provider_webhooks.secretSealed', row))

function newWebhook(
  { secrets, clock }: From,
  { id: connectionId, applicationId }: Connection,
): ProviderWebhook {
  const now = clock.now()
  const row = { id: newId('providerWebhook', now), applicationId }
  const token = newHookToken()
  return {
    ...row,
    connectionId,
    tokenHash: hashOf(token),
    tokenSealed: secrets.seal(token, sealedFor('provider_webhooks.tokenSealed', row)),
    secretSealed: '',
    createdAt: now,
    syncDueAt: null,
    pollDueAt: null,
    syncedAt: null,
    polledAt: null,
  }
}

async function save(tx: Transaction, row: ProviderWebhook, before: ProviderWebhook | null): Promise<void> {
  if (before === null) return tx.insert(tableOf(ProviderWebhook), [row])
  await tx.run('UPDATE `provider_webhooks` SET `secretSealed` = ? WHERE `id` = ? AND `applicationId` = ?', [
    row.secretSealed,
    row.id,
    row.applicationId,
  ])
}
