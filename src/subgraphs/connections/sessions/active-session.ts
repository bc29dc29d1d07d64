import type { Instant } from '../../../domain/time.ts'

const SESSION_KEY = '`api_keys` AS k WHERE k.`id` = s.`keyId`'

/** That a session `s` has not been ended, and the key that made it neither. When they expire is told beside. */
export const ACTIVE_SESSION = `s.\`revokedAt\` IS NULL AND (s.\`keyId\` IS NULL OR EXISTS (SELECT 1 FROM ${SESSION_KEY} AND k.\`revokedAt\` IS NULL))`

/** What it has from the key that made it: it never lasts longer, nor reads more. */
export const OF_KEY = `(SELECT k.\`expiresAt\` FROM ${SESSION_KEY}) AS \`keyExpiresAt\`, (SELECT k.\`scopes\` FROM ${SESSION_KEY}) AS \`keyScopes\``

export const earlier = (expiresAt: Instant, keyExpiresAt: unknown): Instant =>
  keyExpiresAt == null ? expiresAt : Math.min(expiresAt, Number(keyExpiresAt))
