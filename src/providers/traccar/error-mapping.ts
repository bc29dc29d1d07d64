import type { ErrorMapping } from '../http/http-response.ts'
import { ProviderError } from '../provider-error.ts'

const HOUR_MS = 3_600_000

/**
 * Error of a request whose report period is too long. The operator of the server sets the limit
 * (`report.periodLimit`), and the API does not return it.
 */
export class PeriodTooLong extends ProviderError {
  constructor() {
    super('malformed', 'the server refused the length of the report period')
  }
}

/**
 * Returns half of a period that the server refused as too long. Rethrows other errors, and refusals of under
 * two hours.
 */
export function shorterPeriod(periodMs: number, error: unknown): number {
  if (!(error instanceof PeriodTooLong) || periodMs < 2 * HOUR_MS) throw error
  return Math.floor(periodMs / 2)
}

/**
 * Traccar describes errors as texts, for example `Account is disabled - SecurityException (…`. It sends status 400 for
 * errors of different kinds, so the text decides.
 */
export const errorMapping: ErrorMapping = {
  errorIn(status, text) {
    const [first = ''] = text.split('\n', 1)
    if (status === 400 && /\bperiod exceeds the limit\b/i.test(first)) return new PeriodTooLong()
    if (status !== 400 || !/\bSecurityException\b/.test(first)) return null
    if (/\b(disabled|expired)\b/i.test(first))
      return new ProviderError('invalid_credentials', 'the account is disabled or expired')
    return new ProviderError('scope_missing', 'the account lacks a permission')
  },
}
