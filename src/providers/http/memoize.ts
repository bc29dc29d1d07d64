import type { ProviderApi } from '../provider-api.ts'

/**
 * Memoizes a request for the lifetime of a `ProviderApi`, which is one sync or poll. The other arguments are not
 * compared: each call gets the first result. A failure is not memoized.
 */
export function memoizePerAccount<Rest extends readonly unknown[], Result>(
  request: (api: ProviderApi, ...rest: Rest) => Promise<Result>,
): (api: ProviderApi, ...rest: Rest) => Promise<Result> {
  const results = new WeakMap<ProviderApi, Promise<Result>>()
  return (api, ...rest) => {
    const known = results.get(api)
    if (known) return known
    const result = request(api, ...rest)
    results.set(api, result)
    result.catch(() => results.delete(api))
    return result
  }
}
