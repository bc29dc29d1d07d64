import { hashOf, newPublishableKey, newSecretKey } from '../../../../auth/keys.ts'
import { newId } from '../../../../domain/ids.ts'
import type { Instant } from '../../../../domain/time.ts'
import type { ApiKey, Application } from '../application.ts'

export interface NewKey {
  readonly key: ApiKey
  /** The key itself, shown this once: of a secret key only the hash is stored. */
  readonly value: string
}

/** What is chosen of a key. */
export type KeyTerms = Pick<ApiKey, 'use' | 'name' | 'scopes' | 'expiresAt'>

/** A key with the row that finds it again. Its environment is that of its application. */
export function newKey(
  { id: applicationId, environment }: Pick<Application, 'id' | 'environment'>,
  { use, ...terms }: Partial<KeyTerms> & Pick<ApiKey, 'use'>,
  now: Instant,
): NewKey {
  const value = use === 'secret' ? newSecretKey(environment) : newPublishableKey(environment)
  const key: ApiKey = {
    id: newId('key', now),
    applicationId,
    use,
    hash: hashOf(value),
    hint: value.slice(-4),
    publishable: use === 'publishable' ? value : null,
    createdAt: now,
    revokedAt: null,
    lastUsedAt: null,
    name: null,
    scopes: null,
    expiresAt: null,
    ...terms,
  }
  return { key, value }
}

/** What the audit log says of a key. */
export const termsIn = ({ use, name, scopes, expiresAt }: ApiKey) => ({ use, name, scopes, expiresAt })
