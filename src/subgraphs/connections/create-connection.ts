import { hashOf, newConnectionToken } from '../../auth/keys.ts'
import type { SecretBox } from '../../auth/secret-box.ts'
import { PublicError } from '../../errors.ts'
import { type Id, newId } from '../../ids.ts'
import { ProviderError } from '../../providers/api.ts'
import type { Account, ProviderAdapter, ProviderCredentials } from '../../providers/provider.ts'
import type { Database, Transaction } from '../../storage/database.ts'
import { announce } from '../../storage/outbox.ts'
import { tableOf } from '../../storage/table.ts'
import type { Instant } from '../../time.ts'
import { briefly, Connection, ConnectionStatus, SyncMode } from './connection.ts'

export interface ConnectionWish {
  readonly applicationId: Id<'application'>
  readonly provider: ProviderAdapter
  readonly credentials: ProviderCredentials
  readonly syncMode?: SyncMode
  readonly externalId?: string | null
  readonly tags?: readonly string[]
  /** The earliest record time that the first sync asks for; from now on where it is absent. */
  readonly backfillFrom?: Instant | null
}

export interface NewConnection {
  readonly connection: Connection
  readonly token: string
}

/** Signs in at the provider, stores the connection and announces it. */
export async function createConnection(
  { db, secrets, now }: { db: Database; secrets: SecretBox; now: Instant },
  wish: ConnectionWish,
): Promise<NewConnection> {
  const account = await accountOf(wish)
  const token = newConnectionToken()
  const connection = connectionRow(wish, account, token, secrets, now)
  await db.transaction(async (tx) => {
    await tx.insert(tableOf(Connection), [connection])
    await announceCreation(tx, connection, wish.provider.manifest.name, now)
  })
  return { connection, token }
}

async function accountOf({ provider, credentials }: ConnectionWish): Promise<Account> {
  try {
    return await provider.identify(provider.api(credentials, AbortSignal.timeout(20_000)))
  } catch (cause) {
    if (!(cause instanceof ProviderError)) throw cause
    if (cause.kind === 'revoked')
      throw new PublicError('unprocessable_entity', 'The provider refused the credentials.', { cause })
    throw new PublicError('bad_gateway', 'The provider did not answer as it should.', { cause })
  }
}

function connectionRow(
  wish: ConnectionWish,
  { sourceId, name, dotNumbers, user }: Account,
  token: string,
  secrets: SecretBox,
  now: Instant,
): Connection {
  const id = newId('connection', now)
  return {
    id,
    applicationId: wish.applicationId,
    connectionId: id,
    provider: wish.provider.manifest.code,
    status: ConnectionStatus.CONNECTED,
    syncMode: wish.syncMode ?? SyncMode.AUTOMATIC,
    company: { name, dotNumbers: [...dotNumbers] },
    account: { name, dotNumbers: [...dotNumbers], user },
    options: {},
    tags: [...(wish.tags ?? [])],
    filters: null,
    sourceId,
    externalId: wish.externalId ?? null,
    tokenHash: hashOf(token),
    tokenSealed: secrets.seal(token, id),
    credentialsSealed: secrets.seal(JSON.stringify(wish.credentials), id),
    backfillFrom: wish.backfillFrom ?? null,
    createdAt: now,
    updatedAt: now,
    lastStamp: now,
    lastSyncId: null,
  }
}

function announceCreation(
  tx: Transaction,
  connection: Connection,
  providerName: string,
  at: Instant,
): Promise<void> {
  const { id, applicationId, externalId, tags } = connection
  const detail = { connection: { ...briefly(connection, providerName), status: connection.status } }
  return announce(tx, { applicationId, connectionId: id, at }, [
    { type: 'connection.created', subjectId: id, detail },
    {
      type: 'connection.completed',
      subjectId: id,
      detail: { ...detail, metadata: { ...(externalId === null ? {} : { externalId }), tags } },
    },
  ])
}
