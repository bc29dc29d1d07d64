import { type Dialect, toRetryAfterMs } from './answered.ts'
import { type PassedResponse, ProviderError } from './api.ts'

/** Answers that are errors after all are short. */
const MOST_ERROR_BYTES = 64 * 1024

/** That a provider no longer knows the credentials of a request that was passed to it, or takes no more for now. */
export function errorIn(response: PassedResponse, dialect: Dialect | undefined): ProviderError | null {
  const { status, headers, body } = response
  const retryAfterMs = toRetryAfterMs(headers['retry-after'] ?? null)
  if (status === 429) return new ProviderError('limited', 'the provider answered 429', { retryAfterMs })
  if (status === 401) {
    const said = dialect?.errorIn?.(status, body.toString())
    return said ?? new ProviderError('revoked', 'the provider answered 401')
  }
  if (status !== 200 || !dialect?.answerIn || body.length > MOST_ERROR_BYTES) return null
  return errorSaid(dialect.answerIn, body.toString(), retryAfterMs)
}

function errorSaid(
  answerIn: NonNullable<Dialect['answerIn']>,
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
