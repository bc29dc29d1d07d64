import type { ErrorMapping } from '../http/http-response.ts'
import type { ProviderApi } from '../provider-api.ts'
import { ProviderError } from '../provider-error.ts'

/** Error of a request for a record that does not exist or was removed. */
class NotFound extends ProviderError {
  constructor() {
    super('malformed', 'the provider answered 404', { isRefusal: true })
  }
}

/** Motive documents only the status of errors, so their bodies are ignored. */
export const errorMapping: ErrorMapping = { errorIn: (status) => (status === 404 ? new NotFound() : null) }

/** Returns an empty list for a record that was removed after it was listed. */
export function ignoreNotFound(error: unknown): [] {
  if (error instanceof NotFound) return []
  throw error
}

/** Returns null if the account lacks the permission, so that other data can still be read. */
export function ignoreForbidden(error: unknown): null {
  if (hasKind(error, 'scope_missing')) return null
  throw error
}

/**
 * Distinguishes a missing scope from invalid credentials, because Motive may refuse both with 401. Every valid
 * account has the permission to read its company. If that succeeds, the scope is missing.
 */
export const distinguishScopeErrors = (api: ProviderApi): ProviderApi => ({
  ...api,
  async get(path, query) {
    try {
      return await api.get(path, query)
    } catch (error) {
      if (!hasKind(error, 'invalid_credentials') || path === COMPANY_PATH || !(await isSignedIn(api)))
        throw error
      throw new ProviderError('scope_missing', 'the account lacks a permission', { cause: error })
    }
  },
})

/** Path of the company of the account. */
export const COMPANY_PATH = '/v1/companies'

async function isSignedIn(api: ProviderApi): Promise<boolean> {
  try {
    await api.get(COMPANY_PATH)
    return true
  } catch (error) {
    if (hasKind(error, 'invalid_credentials')) return false
    throw error
  }
}

const hasKind = (error: unknown, kind: ProviderError['kind']): boolean =>
  error instanceof ProviderError && error.kind === kind
