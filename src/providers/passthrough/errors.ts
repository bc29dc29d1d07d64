import { type ErrorMapping, toRetryAfterMs } from '../http/http-response.ts'
import type { ProviderResponse } from '../provider-api.ts'
import { ProviderError } from '../provider-error.ts'

/** Larger bodies with status 200 are not inspected: errors are short. */
const MAX_ERROR_BYTES = 64 * 1024

/**
 * Detects that the provider refused the credentials or the rate of a passthrough request. Null for any other
 * response.
 */
export function detectError(
  response: ProviderResponse,
  errorMapping: ErrorMapping | undefined,
): ProviderError | null {
  const { status, headers, body } = response
  const retryAfterMs = toRetryAfterMs(headers['retry-after'] ?? null)
  if (status === 429) return new ProviderError('limited', 'the provider answered 429', { retryAfterMs })
  if (status === 401) {
    const described = errorMapping?.errorIn?.(status, body.toString())
    return described ?? new ProviderError('invalid_credentials', 'the provider answered 401')
  }
  if (status !== 200 || !errorMapping?.answerIn || body.length > MAX_ERROR_BYTES) return null
  return describedError(errorMapping.answerIn, body.toString(), retryAfterMs)
}

function describedError(
  answerIn: NonNullable<ErrorMapping['answerIn']>,
  text: string,
  retryAfterMs: number | undefined,
): ProviderError | null {
  try {
    answerIn(JSON.parse(text), retryAfterMs)
    return null
  } catch (error) {
    return error instanceof ProviderError ? error : null
  }
}
