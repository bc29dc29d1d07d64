import { type ErrorCode, isPublic } from '../../../domain/errors.ts'
import { type SignInFault, ProviderError } from '../../../providers/provider-error.ts'
import { AccountMismatch } from '../lifecycle/reconnect-connection.ts'
import type { LinkProblem } from './link-run.ts'

const byCode: Partial<Record<ErrorCode, LinkProblem>> = {
  invalid_credentials: 'wrong_credentials',
  connection_disconnected: 'wrong_credentials',
  insufficient_permissions: 'missing_permission',
  too_many_requests: 'provider_slow',
  gateway_timeout: 'provider_slow',
  bad_gateway: 'provider_down',
}

const bySignInFault: Readonly<Record<SignInFault, LinkProblem>> = {
  address: 'wrong_server',
  code: 'code_missing',
}

/**
 * Returns the problem that the page shows after a failed check. `our_fault` is any failure that is neither the fleet's
 * nor the provider's.
 */
export function linkProblemOf(error: unknown): LinkProblem {
  if (error instanceof AccountMismatch) return 'other_account'
  const cause = error instanceof Error && isPublic(error) ? error.cause : error
  if (cause instanceof ProviderError && cause.signInFault) return bySignInFault[cause.signInFault]
  if (error instanceof ProviderError) return problemOfProvider(error)
  if (isPublic(error)) return byCode[error.code] ?? 'our_fault'
  return error instanceof Error && error.name === 'TimeoutError' ? 'provider_slow' : 'our_fault'
}

function problemOfProvider({ kind, timedOut }: ProviderError): LinkProblem {
  if (kind === 'invalid_credentials') return 'wrong_credentials'
  if (kind === 'scope_missing') return 'missing_permission'
  return timedOut || kind === 'limited' ? 'provider_slow' : 'provider_down'
}

/** Whether a retry with the same credentials may succeed. */
export const isTransientProblem = (problem: LinkProblem | null): boolean =>
  problem === 'provider_down' || problem === 'provider_slow' || problem === 'our_fault'
