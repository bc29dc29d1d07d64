import type { ErrorCode } from '../../src/domain/errors.ts'

/** Errors of routes that may call a provider, if every provider supports the operation. */
export const providerCallErrors: readonly ErrorCode[] = [
  'unprocessable_entity',
  'connection_disconnected',
  'insufficient_permissions',
  'bad_gateway',
]

/** Errors of routes that may call a provider, if some providers do not support the operation. */
export const optionalProviderCallErrors: readonly ErrorCode[] = [...providerCallErrors, 'not_implemented']
