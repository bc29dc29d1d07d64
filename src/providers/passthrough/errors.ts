import { type ErrorMapping, toRetryAfterMs } from '../http/http-response.ts'
import type { PassedResponse } from '../provider-api.ts'
import { ProviderError } from '../provider-error.ts'

/** Answers that are errors after all are short. */
const MAX_ERROR_BYTES = 64 * 1024

/** That a provider no longer knows the credentials of a request that was passed to it, or takes no more for now. */
export function detectError(
  response: PassedResponse,
  dialect: ErrorMapping | undefined,
): ProviderError | null {
  const { status, headers, body } = response
  const retryAfterMs = toRetryAfterMs(headers['retry-after'] ?? null)
  if (status === 429) return new ProviderError('limited', 'the provider answered 429', { retryAfterMs })
  if (status === 401) {
    const said = dialect?.errorIn?.(status, body.toString())
    return said ?? new ProviderError('revoked', 'the provider answered 401')
  }
  if (status !== 200 || !dialect?.answerIn || body.length > MAX_ERROR_BYTES) return null
  return describedError(dialect.answerIn, body.toString(), retryAfterMs)
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
