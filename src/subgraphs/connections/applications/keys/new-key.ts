import { hashKey, newPublishableKey, newSecretKey } from '../../../../auth/keys.ts'
import { newId } from '../../../../domain/ids.ts'
import type { Instant } from '../../../../domain/time.ts'
import type { ApiKey, Application } from '../application.ts'

export interface NewKey {
  readonly key: ApiKey
  /** Value of the key. That of a secret key is returned only here, because only its hash is stored. */
  readonly value: string
}

/** Settings of a key that its creator chooses. */
export type KeySettings = Pick<
  ApiKey,
  'use' | 'name' | 'scopes' | 'expiresAt' | 'documentMode' | 'pointsPerMinute'
>

/** Creates a key that is not stored yet. The key has the environment of its application. */
export function newKey(
  { id: applicationId, environment }: Pick<Application, 'id' | 'environment'>,
  { use, ...terms }: Partial<KeySettings> & Pick<ApiKey, 'use'>,
  now: Instant,
): NewKey {
  const value = use === 'secret' ? newSecretKey(environment) : newPublishableKey(environment)
  const key: ApiKey = {
    id: newId('key', now),
    applicationId,
    use,
    hash: hashKey(value),
    hint: value.slice(-4),
    publishable: use === 'publishable' ? value : null,
    createdAt: now,
    revokedAt: null,
    lastUsedAt: null,
    name: null,
    scopes: null,
    expiresAt: null,
    documentMode: null,
    pointsPerMinute: null,
    ...terms,
  }
  return { key, value }
}

/** Returns the settings of a key for the audit log. */
export const auditDetailOf = ({
  use,
  name,
  scopes,
  expiresAt,
  documentMode,
  pointsPerMinute,
}: ApiKey): KeySettings => ({
  use,
  name,
  scopes,
  expiresAt,
  documentMode,
  pointsPerMinute,
})
