import type { Instant } from '../../../domain/time.ts'

const SESSION_KEY = '`api_keys` AS k WHERE k.`id` = s.`keyId`'

/**
 * SQL condition: neither the session `s` nor the key that created it is revoked. It does not check their
 * expiry.
 */
export const ACTIVE_SESSION = `s.\`revokedAt\` IS NULL AND (s.\`keyId\` IS NULL OR EXISTS (SELECT 1 FROM ${SESSION_KEY} AND k.\`revokedAt\` IS NULL))`

/** SQL columns with expiry and scopes of the key that created the session: they limit the session. */
export const KEY_LIMITS = `(SELECT k.\`expiresAt\` FROM ${SESSION_KEY}) AS \`keyExpiresAt\`, (SELECT k.\`scopes\` FROM ${SESSION_KEY}) AS \`keyScopes\``

export const earlier = (expiresAt: Instant, keyExpiresAt: unknown): Instant =>
  keyExpiresAt == null ? expiresAt : Math.min(expiresAt, Number(keyExpiresAt))
