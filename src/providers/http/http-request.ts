import { unguardedFetch } from '../../platform/outbound-http/unguarded-fetch.ts'
import { providerCalls, type ProviderWork } from '../../platform/instrumentation.ts'

/** Provider of a request, and the `fetch` that sends it. */
export interface ProviderEndpoint {
  readonly provider: string
  /** Replacement of `unguardedFetch`, for servers whose address a fleet enters. */
  readonly fetch?: typeof fetch | undefined
}

/**
 * Sends a request to a provider. Metrics and tracing measure it until the response headers arrive. They get
 * neither the credentials nor the query, which may contain secrets.
 */
export const sendRequest = (
  { provider, fetch = unguardedFetch }: ProviderEndpoint,
  url: URL,
  options: RequestInit,
  attempt = 1,
): Promise<Response> => {
  const { host, pathname: path } = url
  const work: ProviderWork = { provider, method: options.method ?? 'GET', host, path, attempt }
  return providerCalls.run(work, async () => {
    const response = await fetch(url, options)
    work.status = response.status
    return response
  })
}
