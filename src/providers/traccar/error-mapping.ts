import type { ErrorMapping } from '../http/http-response.ts'
import { ProviderError } from '../provider-error.ts'

const HOUR_MS = 3_600_000

/**
 * The report period is too long. The operator sets the limit (`report.periodLimit`); the API does not reveal
 * it.
 */
export class PeriodTooLong extends ProviderError {
  constructor() {
    super('malformed', 'the server refused the length of the report period')
  }
}

/** Returns a shorter period after a refusal for length. Rethrows any other error. */
export function shorterPeriod(periodMs: number, error: unknown): number {
  if (!(error instanceof PeriodTooLong) || periodMs < 2 * HOUR_MS) throw error
  return Math.floor(periodMs / 2)
}

/**
 * Errors are texts, for example `Account is disabled - SecurityException (…`. The status alone does not show
 * that an account is disabled or expired.
 */
export const errorMapping: ErrorMapping = {
  errorIn(status, text) {
    const [first = ''] = text.split('\n', 1)
    if (status === 400 && /\bperiod exceeds the limit\b/i.test(first)) return new PeriodTooLong()
    if (status !== 400 || !/\bSecurityException\b/.test(first)) return null
    if (/\b(disabled|expired)\b/i.test(first)) return new ProviderError('revoked', 'the account is disabled')
    return new ProviderError('scope_missing', 'the account lacks a permission')
  },
}
