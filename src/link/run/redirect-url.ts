import { mayRedirect } from '../../subgraphs/connections/linking/validate-settings.ts'
import type { LinkApplication } from '../../subgraphs/connections/linking/link-application.ts'
import type { LinkRun } from '../../subgraphs/connections/linking/link-run.ts'

/** Result of a run, as passed to the integrator. */
export type LinkResult =
  | { readonly result: 'success'; readonly token: string }
  | { readonly result: 'cancelled' | 'provider_requested' }

/**
 * Returns the URL to which the fleet is redirected after its run. Null if the run has none, or if the
 * application no longer allows it.
 */
export function redirectUrlFor(
  { settings }: LinkRun,
  application: LinkApplication,
  ending: LinkResult,
): string | null {
  const { redirectUrl, state } = settings
  if (redirectUrl === undefined || !mayRedirect(redirectUrl, application)) return null
  const parameters = new URLSearchParams()
  if (ending.result === 'success') parameters.set('token', ending.token)
  if (state !== undefined) parameters.set('state', state)
  parameters.set('result', ending.result)
  return withQuery(redirectUrl, parameters)
}

/** Adds parameters to a URL. The existing query stays unchanged, except for parameters of the same names. */
function withQuery(address: string, parameters: URLSearchParams): string {
  const url = new URL(address)
  for (const name of ['token', 'state', 'result'])
    if (url.searchParams.has(name)) url.searchParams.delete(name)
  url.search = [url.search.slice(1), parameters.toString()].filter(Boolean).join('&')
  return url.href
}
