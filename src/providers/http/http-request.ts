import { providerCalls, type ProviderWork } from '../../platform/instrumentation.ts'

/** How requests reach a provider. */
export interface ProviderEndpoint {
  readonly provider: string
  /** Replacement of the global `fetch`, for servers whose address a fleet enters. */
  readonly fetch?: typeof fetch | undefined
}

/**
 * Sends a request to a provider, instrumented until the response headers arrive. Instrumentation gets neither
 * credentials nor the query.
 */
export const sendRequest = (
  { provider, fetch = globalThis.fetch }: ProviderEndpoint,
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
