import { mayRedirect } from '../../subgraphs/connections/linking/validate-settings.ts'
import type { LinkApplication } from '../../subgraphs/connections/linking/link-application.ts'
import type { LinkRun } from '../../subgraphs/connections/linking/link-run.ts'

/** Result of a run, as the redirect passes it to the integrator. */
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
  outcome: LinkResult,
): string | null {
  const { redirectUrl, state } = settings
  if (redirectUrl === undefined || !mayRedirect(redirectUrl, application)) return null
  const parameters = new URLSearchParams()
  if (outcome.result === 'success') parameters.set('token', outcome.token)
  if (state !== undefined) parameters.set('state', state)
  parameters.set('result', outcome.result)
  return withQuery(redirectUrl, parameters)
}

/** Adds parameters to a URL. They replace parameters of the same names. The rest of the query stays unchanged. */
function withQuery(redirectUrl: string, parameters: URLSearchParams): string {
  const url = new URL(redirectUrl)
  for (const name of ['token', 'state', 'result'])
    if (url.searchParams.has(name)) url.searchParams.delete(name)
  url.search = [url.search.slice(1), parameters.toString()].filter(Boolean).join('&')
  return url.href
}
