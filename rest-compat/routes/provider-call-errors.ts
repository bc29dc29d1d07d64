import type { ErrorCode } from '../../src/domain/errors.ts'

/** Errors of routes that call a provider, for operations that every provider supports. */
export const providerCallErrors: readonly ErrorCode[] = [
  'unprocessable_entity',
  'connection_disconnected',
  'insufficient_permissions',
  'bad_gateway',
]

/** Errors of routes that call a provider, for operations that a provider may not support. */
export const optionalProviderCallErrors: readonly ErrorCode[] = [...providerCallErrors, 'not_implemented']
