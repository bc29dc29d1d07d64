import type { ErrorMapping } from '../http/http-response.ts'
import { ProviderError } from '../provider-error.ts'

const HOUR_MS = 3_600_000

/** An operator may limit how long the period of a report is (`report.periodLimit`); nobody is told to how much. */
export class PeriodTooLong extends ProviderError {
  constructor() {
    super('malformed', 'the server takes no report of so long a period')
  }
}

/** How long a period to ask for instead of one that was refused; fails where it was refused for something else. */
export function shorterPeriod(periodMs: number, error: unknown): number {
  if (!(error instanceof PeriodTooLong) || periodMs < 2 * HOUR_MS) throw error
  return Math.floor(periodMs / 2)
}

/**
 * Its errors are texts, such as `Account is disabled - SecurityException (…`: that an account was disabled or has
 * expired their status does not tell.
 */
export const errorMapping: ErrorMapping = {
  errorIn(status, text) {
    const [first = ''] = text.split('\n', 1)
    if (status === 400 && /\bperiod exceeds the limit\b/i.test(first)) return new PeriodTooLong()
    if (status !== 400 || !/\bSecurityException\b/.test(first)) return null
    if (/\b(disabled|expired)\b/i.test(first)) return new ProviderError('revoked', 'the account is disabled')
    return new ProviderError('scope_missing', 'the account may not')
  },
}
