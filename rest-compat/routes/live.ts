import type { ErrorCode } from '../../src/domain/errors.ts'

/** What can go wrong where a request calls the provider, whichever it is. */
export const liveOfAll: readonly ErrorCode[] = [
  'unprocessable_entity',
  'connection_disconnected',
  'insufficient_permissions',
  'bad_gateway',
]

/** The same where a provider may not have what is asked for. */
export const live: readonly ErrorCode[] = [...liveOfAll, 'not_implemented']
