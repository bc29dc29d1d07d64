import type { Dialect } from '../answered.ts'
import { ProviderError } from '../api.ts'

/**
 * Its errors are texts, such as `Account is disabled - SecurityException (…`: that an account was disabled or has
 * expired their status does not tell.
 */
export const dialect: Dialect = {
  errorIn(status, text) {
    const [first = ''] = text.split('\n', 1)
    if (status !== 400 || !/\bSecurityException\b/.test(first)) return null
    if (/\b(disabled|expired)\b/i.test(first)) return new ProviderError('revoked', 'the account is disabled')
    return new ProviderError('scope_missing', 'the account may not')
  },
}
