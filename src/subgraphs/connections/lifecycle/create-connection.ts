import { hashKey, newConnectionToken } from '../../../auth/keys.ts'
import type { EnvelopeEncryption } from '../../../auth/envelope-encryption.ts'
import { newId } from '../../../domain/ids.ts'
import type { Database, Transaction } from '../../../storage/database.ts'
import { appendEvents } from '../../../storage/outbox.ts'
import { tableOf } from '../../../storage/sql/table.ts'
import type { Instant } from '../../../domain/time.ts'
import { requireQuota } from '../../tables/application-quotas.ts'
import { recordAudit, serviceActor } from '../../tables/audit-log.ts'
import { acceptAgreements } from './accept-agreements.ts'
import { completedEvent, connectionEvent } from '../events.ts'
import { Connection, ConnectionStatus, SyncMode } from '../connection.ts'
import { sealedCredentials } from '../credentials/stored-credentials.ts'
import { findConnectionByAccount } from './find-by-account.ts'
import type { IdentifiedAccount, NewConnectionInput, LinkedConnection } from './new-connection.ts'
import { signInAndIdentify } from './identify-account.ts'
import { mergeConnection } from './merge-connection.ts'
import { encryptionContext } from '../../tables/encrypted-columns.ts'

interface CreateDeps {
  readonly db: Pick<Database, 'transaction'>
  readonly secrets: EnvelopeEncryption
  readonly now: Instant
}

/**
 * Signs in to the provider unless the account is already identified, stores the connection and appends its events. If
 * the application merges connections, an account that has a connection keeps it. `inTransaction` runs in the same
 * transaction.
 */
export async function createConnection(
  { db, secrets, now }: CreateDeps,
  input: NewConnectionInput,
  inTransaction: (tx: Transaction, connection: Connection) => Promise<void> = async () => {},
): Promise<LinkedConnection> {
  const { account, credentials } = input.account
    ? { account: input.account, credentials: input.credentials }
    : await signInAndIdentify(input.provider, input.credentials)
  return db.transaction(async (tx) => {
    const identified: IdentifiedAccount = { ...input, account, credentials }
    const existing = await findConnectionByAccount(tx, identified)
    const linked = existing
      ? await mergeConnection(tx, existing, identified, { secrets, now })
      : await insertConnection(tx, identified, { secrets, now })
    const { applicationId, actor = serviceActor } = input
    await recordAudit(
      tx,
      { applicationId, actor, at: now },
      {
        action: existing ? 'connection.merged' : 'connection.created',
        targetId: linked.connection.id,
        detail: { provider: input.provider.manifest.code },
      },
    )
    await inTransaction(tx, linked.connection)
    return linked
  })
}

async function insertConnection(
  tx: Transaction,
  identified: IdentifiedAccount,
  { secrets, now }: Pick<CreateDeps, 'secrets' | 'now'>,
): Promise<LinkedConnection> {
  const token = newConnectionToken()
  const row = connectionRow(identified, token, secrets, now)
  const providerName = identified.provider.manifest.name
  await requireQuota(tx, row.applicationId, 'connections', { sql: '`deletedAt` IS NULL', parameters: [] })
  await tx.insert(tableOf(Connection), [row])
  await acceptAgreements(tx, row, identified.agreements, now)
  await appendEvents(tx, { applicationId: row.applicationId, connectionId: row.id, at: now }, [
    connectionEvent('connection.created', row, providerName),
    completedEvent(row, identified, providerName),
  ])
  return { connection: row, token, isNew: true, sync: null }
}

function connectionRow(
  { applicationId, account: { sourceId, name, dotNumbers, user, timeZone }, ...input }: IdentifiedAccount,
  token: string,
  secrets: EnvelopeEncryption,
  now: Instant,
): Connection {
  const id = newId('connection', now)
  return {
    id,
    applicationId,
    connectionId: id,
    provider: input.provider.manifest.code,
    status: ConnectionStatus.CONNECTED,
    syncMode: input.syncMode ?? SyncMode.AUTOMATIC,
    company: {
      name: input.company?.name ?? name,
      dotNumbers: [...(input.company?.dotNumbers ?? dotNumbers)],
    },
    account: { name, dotNumbers: [...dotNumbers], user },
    options: input.options ?? {},
    tags: [...(input.tags ?? [])],
    filters: input.filters ?? null,
    sourceId,
    externalId: input.externalId ?? null,
    tokenHash: hashKey(token),
    tokenSealed: secrets.seal(token, encryptionContext('connections.tokenSealed', { id, applicationId })),
    credentialsSealed: sealedCredentials(secrets, { id, applicationId }, input.credentials),
    backfillFrom: input.backfillFrom ?? null,
    createdAt: now,
    updatedAt: now,
    lastStamp: now,
    lastSyncId: null,
    timeZone: timeZone ?? null,
    statusBefore: null,
    deletionRequestedAt: null,
    lastDisconnectedAt: null,
    deletedAt: null,
    refreshingUntil: null,
  }
}
