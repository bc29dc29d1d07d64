import type { ErrorMapping } from '../http/http-response.ts'
import type { ProviderApi } from '../provider-api.ts'
import { ProviderError } from '../provider-error.ts'

/** Something that is asked for by its id is not there, or not any more. */
class NotThere extends ProviderError {
  constructor() {
    super('malformed', 'the provider answered 404')
  }
}

/** Of refusals only the status is published: nothing is read in their bodies. */
export const errorMapping: ErrorMapping = { errorIn: (status) => (status === 404 ? new NotThere() : null) }

/** What was removed since it was listed has nothing. */
export function ignoreNotFound(error: unknown): [] {
  if (error instanceof NotThere) return []
  throw error
}

/** Who may not read one thing may still read another. */
export function ignoreForbidden(error: unknown): null {
  if (isOf(error, 'scope_missing')) return null
  throw error
}

/**
 * A scope that is missing may be refused as credentials are that are no good. Whose account it is, all who are signed
 * in may ask: where they are told, it was the scope.
 */
export const distinguishScopeErrors = (api: ProviderApi): ProviderApi => ({
  ...api,
  async get(path, query) {
    try {
      return await api.get(path, query)
    } catch (error) {
      if (!isOf(error, 'revoked') || path === COMPANY_PATH || !(await isSignedIn(api))) throw error
      throw new ProviderError('scope_missing', 'the account may not read this', { cause: error })
    }
  },
})

/** Tells the company that asks. */
export const COMPANY_PATH = '/v1/companies'

async function isSignedIn(api: ProviderApi): Promise<boolean> {
  try {
    await api.get(COMPANY_PATH)
    return true
  } catch (error) {
    if (isOf(error, 'revoked')) return false
    throw error
  }
}

const isOf = (error: unknown, kind: ProviderError['kind']): boolean =>
  error instanceof ProviderError && error.kind === kind
