import type { Instant } from '../../../domain/time.ts'

const KEY_OF_SESSION = '`api_keys` AS k WHERE k.`id` = s.`keyId`'

/**
 * SQL condition that neither the session `s` nor the key that created it is revoked. It does not check
 * the expiry of either: callers do so with `KEY_LIMITS`.
 */
export const ACTIVE_SESSION = `s.\`revokedAt\` IS NULL AND (s.\`keyId\` IS NULL OR EXISTS (SELECT 1 FROM ${KEY_OF_SESSION} AND k.\`revokedAt\` IS NULL))`

/** SQL columns of the key that created the session `s`: its expiry, scopes, document mode and rate. They limit the session. */
export const KEY_LIMITS = `(SELECT k.\`expiresAt\` FROM ${KEY_OF_SESSION}) AS \`keyExpiresAt\`, (SELECT k.\`scopes\` FROM ${KEY_OF_SESSION}) AS \`keyScopes\`, (SELECT k.\`documentMode\` FROM ${KEY_OF_SESSION}) AS \`keyDocumentMode\`, (SELECT k.\`pointsPerMinute\` FROM ${KEY_OF_SESSION}) AS \`keyPointsPerMinute\``

export const earlier = (expiresAt: Instant, keyExpiresAt: unknown): Instant =>
  keyExpiresAt == null ? expiresAt : Math.min(expiresAt, Number(keyExpiresAt))
