import { hashOf, newConnectionToken } from '../../../auth/keys.ts'
import type { SecretBox } from '../../../auth/secret-box.ts'
import { type Id, newId } from '../../../ids.ts'
import type { Account, ProviderAdapter, ProviderCredentials } from '../../../providers/provider.ts'
import type { Database, Transaction } from '../../../storage/database.ts'
import { announce } from '../../../storage/outbox.ts'
import { tableOf } from '../../../storage/table.ts'
import type { Instant } from '../../../time.ts'
import { type Actor, remember, service } from '../../audit.ts'
import { acceptAgreements, type AgreementWish } from './accept-agreements.ts'
import { completedEvent, connectionEvent } from '../announcements.ts'
import { type Company, Connection, ConnectionStatus, SyncMode } from '../connection.ts'
import { sealedCredentials } from '../credentials/stored-credentials.ts'
import { connectionOfAccount, type LinkedAccount } from './connection-of-account.ts'
import { openedAccount } from './identify-account.ts'
import { mergeConnection } from './merge-connection.ts'
import type { Sync } from '../syncs/sync.ts'
import { sealedFor } from '../../sealed-columns.ts'

export interface ConnectionWish {
  readonly applicationId: Id<'application'>
  readonly provider: ProviderAdapter
  /** What the fleet signs in with; where `account` says whose it is already, as it is kept. */
  readonly credentials: ProviderCredentials
  /** The account that the credentials open, where that has been asked already. */
  readonly account?: Account
  readonly syncMode?: SyncMode
  /** The account's own name and numbers where it is absent. */
  readonly company?: Partial<Company>
  readonly options?: Record<string, unknown>
  readonly externalId?: string | null
  readonly tags?: readonly string[]
  readonly filters?: Record<string, unknown> | null
  readonly agreements?: readonly AgreementWish[]
  /** The earliest record time that the first sync asks for; from now on where it is absent. */
  readonly backfillFrom?: Instant | null
  /** Who links it; the service by itself where it is absent. */
  readonly actor?: Actor
}

export interface NewConnection {
  readonly connection: Connection
  readonly token: string
  /** False where the account had its connection already. */
  readonly isNew: boolean
  /** What was asked for at once, for the caller to leave to the workers. */
  readonly sync: Sync | null
}

interface From {
  readonly db: Pick<Database, 'transaction'>
  readonly secrets: SecretBox
  readonly now: Instant
}

/**
 * Signs in at the provider, stores the connection and announces it. An account that the application has connected
 * already leads to its connection, where the application merges. `also` is done in the same transaction.
 */
export async function createConnection(
  { db, secrets, now }: From,
  wish: ConnectionWish,
  also: (tx: Transaction, connection: Connection) => Promise<void> = async () => {},
): Promise<NewConnection> {
  const { account, credentials } = wish.account
    ? { account: wish.account, credentials: wish.credentials }
    : await openedAccount(wish.provider, wish.credentials)
  return db.transaction(async (tx) => {
    const linked: LinkedAccount = { ...wish, account, credentials }
    const known = await connectionOfAccount(tx, linked)
    const made = known
      ? await mergeConnection(tx, known, linked, { secrets, now })
      : await insertConnection(tx, linked, { secrets, now })
    const { applicationId, actor = service } = wish
    await remember(
      tx,
      { applicationId, actor, at: now },
      {
        action: known ? 'connection.merged' : 'connection.created',
        targetId: made.connection.id,
        detail: { provider: wish.provider.manifest.code },
      },
    )
    await also(tx, made.connection)
    return made
  })
}

async function insertConnection(
  tx: Transaction,
  linked: LinkedAccount,
  { secrets, now }: Pick<From, 'secrets' | 'now'>,
): Promise<NewConnection> {
  const token = newConnectionToken()
  const row = connectionRow(linked, token, secrets, now)
  const providerName = linked.provider.manifest.name
  await tx.insert(tableOf(Connection), [row])
  await acceptAgreements(tx, row, linked.agreements, now)
  await announce(tx, { applicationId: row.applicationId, connectionId: row.id, at: now }, [
    connectionEvent('connection.created', row, providerName),
    completedEvent(row, linked, providerName),
  ])
  return { connection: row, token, isNew: true, sync: null }
}
function connectionRow(
  { applicationId, account: { sourceId, name, dotNumbers, user, timeZone }, ...wish }: LinkedAccount,
  token: string,
  secrets: SecretBox,
  now: Instant,
): Connection {
  const id = newId('connection', now)
  return {
    id,
    applicationId,
    connectionId: id,
    provider: wish.provider.manifest.code,
    status: ConnectionStatus.CONNECTED,
    syncMode: wish.syncMode ?? SyncMode.AUTOMATIC,
    company: {
      name: wish.company?.name ?? name,
      dotNumbers: [...(wish.company?.dotNumbers ?? dotNumbers)],
    },
    account: { name, dotNumbers: [...dotNumbers], user },
    options: wish.options ?? {},
    tags: [...(wish.tags ?? [])],
    filters: wish.filters ?? null,
    sourceId,
    externalId: wish.externalId ?? null,
    tokenHash: hashOf(token),
    tokenSealed: secrets.seal(token, sealedFor('connections.tokenSealed', { id, applicationId })),
    credentialsSealed: sealedCredentials(secrets, { id, applicationId }, wish.credentials),
    backfillFrom: wish.backfillFrom ?? null,
    createdAt: now,
    updatedAt: now,
    lastStamp: now,
    lastSyncId: null,
    timeZone: timeZone ?? null,
    statusBefore: null,
    deletionRequestedAt: null,
    deletedAt: null,
    refreshingUntil: null,
  }
}
