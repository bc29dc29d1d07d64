import { isDeepStrictEqual } from 'node:util'
import type { EnvelopeEncryption } from '../../../auth/envelope-encryption.ts'
import type { ProviderCredentials } from '../../../providers/provider.ts'
import type { Rows } from '../../../storage/database.ts'
import type { Instant } from '../../../domain/time.ts'
import { encryptionContext } from '../../tables/encrypted-columns.ts'

/** Whose credentials they are, and where they are good. */
export interface Account {
  readonly id: string
  readonly applicationId: string
  /** The code of the provider. */
  readonly provider: string
}

/** Credentials, and the text that is stored of them: another after each sign-in. */
export interface StoredCredentials {
  readonly credentials: ProviderCredentials
  readonly sealed: string
}

export interface StoredAccount extends Pick<StoredCredentials, 'sealed'> {
  /** Null where they have been deleted. */
  readonly credentials: ProviderCredentials | null
  readonly refreshingUntil: Instant | null
}

/** What is stored of a connection's credentials; null where there is no such connection. */
export async function storedCredentials(
  db: Rows,
  secrets: Pick<EnvelopeEncryption, 'open'>,
  account: Pick<Account, 'id' | 'applicationId'>,
  lock = '',
): Promise<StoredAccount | null> {
  const [row] = await db.rows<{ credentialsSealed: string; refreshingUntil: Instant | string | null }>(
    `SELECT \`credentialsSealed\`, \`refreshingUntil\` FROM \`connections\` WHERE \`id\` = ? AND \`applicationId\` = ?${lock}`,
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
  }
}

/** The credentials of a connection as they are stored: they differ after each sign-in. */
export async function credentialsVersion(db: Rows, connectionId: string): Promise<string> {
  const [row] = await db.rows<{ credentialsSealed: string }>(
    'SELECT `credentialsSealed` FROM `connections` WHERE `id` = ?',
    [connectionId],
  )
  return row?.credentialsSealed ?? ''
}

/** Credentials as they are stored with their connection. */
export const sealedCredentials = (
  secrets: Pick<EnvelopeEncryption, 'seal'>,
  connection: Pick<Account, 'id' | 'applicationId'>,
  credentials: ProviderCredentials,
): string => secrets.seal(JSON.stringify(credentials), contextOfCredentials(connection))

const contextOfCredentials = (connection: Pick<Account, 'id' | 'applicationId'>): string =>
  encryptionContext('connections.credentialsSealed', connection)

export const areSame = (one: ProviderCredentials, other: ProviderCredentials): boolean =>
  isDeepStrictEqual({ ...one }, { ...other })
