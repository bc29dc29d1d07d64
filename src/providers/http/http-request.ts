import { providerCalls, type ProviderWork } from '../../platform/instrumentation.ts'

/** How a provider is reached. */
export interface ProviderEndpoint {
  /** The provider's code. */
  readonly provider: string
  /** Stands in for the platform's where fleets name the server. */
  readonly fetch?: typeof fetch | undefined
}

/** A request to a provider, watched to the head of its answer. Nothing of who asks or of the query is told. */
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
