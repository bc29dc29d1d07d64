import type { Instant } from '../../../domain/time.ts'
import type { ApiKey } from './application.ts'

/** SQL condition that a key is active. Its parameter is the current time. */
export const ACTIVE_KEY = '`revokedAt` IS NULL AND (`expiresAt` IS NULL OR `expiresAt` > ?)'

/** Whether a loaded key fulfils the condition `ACTIVE_KEY`. */
export const isActiveKey = (
  { revokedAt, expiresAt }: Pick<ApiKey, 'revokedAt' | 'expiresAt'>,
  now: Instant,
): boolean => revokedAt === null && (expiresAt === null || expiresAt > now)
