import { isDeepStrictEqual } from 'node:util'
import type { EnvelopeEncryption } from '../../../auth/envelope-encryption.ts'
import { ProviderError } from '../../../providers/provider-error.ts'
import type { ProviderCredentials } from '../../../providers/provider.ts'
import type { Database, Rows } from '../../../storage/database.ts'
import { databaseInstant } from '../../../storage/sql/dialect.ts'
import type { Instant } from '../../../domain/time.ts'
import type { CredentialsOwner } from '../../on-demand/provider-calls.ts'
import { encryptionContext } from '../../tables/encrypted-columns.ts'

/** Credentials and their stored ciphertext, which differs after each sign-in. */
export interface StoredCredentials {
  readonly credentials: ProviderCredentials
  readonly sealed: string
}

export interface StoredAccount extends Pick<StoredCredentials, 'sealed'> {
  /** Null if they have been deleted. */
  readonly credentials: ProviderCredentials | null
  readonly refreshingUntil: Instant | null
  /** Time of the read, by the clock of the database. */
  readonly readAt: Instant
}

/** Reads the stored credentials of a connection. Null if there is no such connection. */
export async function storedCredentials(
  db: Pick<Database, 'rows' | 'dialect'>,
  secrets: Pick<EnvelopeEncryption, 'open'>,
  account: Pick<CredentialsOwner, 'id' | 'applicationId'>,
  lock = '',
): Promise<StoredAccount | null> {
  const [row] = await db.rows<CredentialsRow>(
    `SELECT \`credentialsSealed\`, \`refreshingUntil\`, ${databaseInstant(db.dialect)} AS readAt
      FROM \`connections\` WHERE \`id\` = ? AND \`applicationId\` = ?${lock}`,
    [account.id, account.applicationId],
  )
  if (!row) return null
  const { credentialsSealed: sealed, refreshingUntil } = row
  return {
    sealed,
    credentials:
      sealed === ''
        ? null
        : (JSON.parse(secrets.open(sealed, contextOfCredentials(account))) as ProviderCredentials),
    refreshingUntil: refreshingUntil === null ? null : Number(refreshingUntil),
    readAt: Number(row.readAt),
  }
}

interface CredentialsRow {
  readonly credentialsSealed: string
  readonly refreshingUntil: Instant | string | null
  readonly readAt: Instant | string
}

/** Throws if the credentials or the connection have been deleted. */
export function requireCredentials(stored: StoredAccount | null): StoredAccount & StoredCredentials {
  if (stored?.credentials) return { ...stored, credentials: stored.credentials }
  throw new ProviderError('invalid_credentials', 'the connection has no credentials any more')
}

/** Returns the stored ciphertext of the credentials, which differs after each sign-in. */
export async function credentialsVersion(
  db: Rows,
  { id, applicationId }: Pick<CredentialsOwner, 'id' | 'applicationId'>,
  lock = '',
): Promise<string> {
  const [row] = await db.rows<{ credentialsSealed: string }>(
    `SELECT \`credentialsSealed\` FROM \`connections\` WHERE \`id\` = ? AND \`applicationId\` = ?${lock}`,
    [id, applicationId],
  )
  return row?.credentialsSealed ?? ''
}

/** Encrypts credentials for storage with their connection. */
export const sealedCredentials = (
  secrets: Pick<EnvelopeEncryption, 'seal'>,
  connection: Pick<CredentialsOwner, 'id' | 'applicationId'>,
  credentials: ProviderCredentials,
): string => secrets.seal(JSON.stringify(credentials), contextOfCredentials(connection))

const contextOfCredentials = (connection: Pick<CredentialsOwner, 'id' | 'applicationId'>): string =>
  encryptionContext('connections.credentialsSealed', connection)

export const areSame = (one: ProviderCredentials, other: ProviderCredentials): boolean =>
  isDeepStrictEqual({ ...one }, { ...other })
