import type { ErrorCode } from '../../src/errors.ts'

/** What can go wrong where a request calls the provider. */
export const live: readonly ErrorCode[] = [
  'unprocessable_entity',
  'connection_disconnected',
  'insufficient_permissions',
  'not_implemented',
  'bad_gateway',
]
