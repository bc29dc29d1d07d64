import type { Instant } from '../../../domain/time.ts'
import type { ApiKey } from './application.ts'

/** That a key is good, in SQL; its one parameter is now. */
export const ACTIVE_KEY = '`revokedAt` IS NULL AND (`expiresAt` IS NULL OR `expiresAt` > ?)'

/** The same of a row that is here already. */
export const isActive = (
  { revokedAt, expiresAt }: Pick<ApiKey, 'revokedAt' | 'expiresAt'>,
  now: Instant,
): boolean => revokedAt === null && (expiresAt === null || expiresAt > now)
