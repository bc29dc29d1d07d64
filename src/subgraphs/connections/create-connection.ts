import { hashOf, newConnectionToken } from '../../auth/keys.ts'
import type { SecretBox } from '../../auth/secret-box.ts'
import { type Id, newId } from '../../ids.ts'
import type { Account, ProviderAdapter, ProviderCredentials } from '../../providers/provider.ts'
import type { Database, Transaction } from '../../storage/database.ts'
import { announce, present } from '../../storage/outbox.ts'
import { tableOf } from '../../storage/table.ts'
import type { Instant } from '../../time.ts'
import { Agreement } from './agreement.ts'
import { connectionEvent } from './announcements.ts'
import { type Company, Connection, ConnectionStatus, SyncMode } from './connection.ts'
import { identifyAccount } from './identify-account.ts'

/** What a fleet agreed to when it linked its account. */
export interface AgreementWish {
  readonly agreementUrl: string
  /** When the connection is made, if it is absent. */
  readonly acceptedAt?: Instant | null
  readonly ipAddress?: string | null
  readonly userAgent?: string | null
}

export interface ConnectionWish {
  readonly applicationId: Id<'application'>
  readonly provider: ProviderAdapter
  readonly credentials: ProviderCredentials
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
}

export interface NewConnection {
  readonly connection: Connection
  readonly token: string
}

/** Signs in at the provider, stores the connection and announces it. */
export async function createConnection(
  { db, secrets, now }: { db: Pick<Database, 'transaction'>; secrets: SecretBox; now: Instant },
  wish: ConnectionWish,
): Promise<NewConnection> {
  const account = await identifyAccount(wish.provider, wish.credentials)
  const token = newConnectionToken()
  const row = connectionRow(wish, account, token, secrets, now)
  await db.transaction(async (tx) => {
    await tx.insert(tableOf(Connection), [row])
    await tx.insert(tableOf(Agreement), agreementRows(row, wish))
    await announceCreation(tx, row, wish.provider.manifest.name, now)
  })
  return { connection: row, token }
}

function connectionRow(
  wish: ConnectionWish,
  { sourceId, name, dotNumbers, user, timeZone }: Account,
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
    tokenSealed: secrets.seal(token, id),
    credentialsSealed: secrets.seal(JSON.stringify(wish.credentials), id),
    backfillFrom: wish.backfillFrom ?? null,
    createdAt: now,
    updatedAt: now,
    lastStamp: now,
    lastSyncId: null,
    timeZone: timeZone ?? null,
    statusBefore: null,
    deletionRequestedAt: null,
    deletedAt: null,
  }
}

const agreementRows = (
  { id: connectionId, applicationId, account, createdAt }: Connection,
  { agreements = [] }: ConnectionWish,
): Agreement[] =>
  agreements.map(({ agreementUrl, acceptedAt, ipAddress, userAgent }) => ({
    id: newId('agreement'),
    applicationId,
    connectionId,
    agreementUrl,
    acceptedAt: acceptedAt ?? createdAt,
    acceptedBy: account.user ?? {},
    location: null,
    ipAddress: ipAddress ?? null,
    userAgent: userAgent ?? null,
  }))

function announceCreation(
  tx: Transaction,
  connection: Connection,
  providerName: string,
  at: Instant,
): Promise<void> {
  const { id, applicationId, externalId, tags } = connection
  return announce(tx, { applicationId, connectionId: id, at }, [
    connectionEvent('connection.created', connection, providerName),
    connectionEvent('connection.completed', connection, providerName, {
      metadata: present({ externalId, tags }),
    }),
  ])
}
