import { mayRedirect } from '../../subgraphs/connections/linking/validate-settings.ts'
import type { LinkApplication } from '../../subgraphs/connections/linking/link-application.ts'
import type { LinkRun } from '../../subgraphs/connections/linking/link-run.ts'

/** How a run has ended, as the integrator is told it. */
export type LinkResult =
  | { readonly result: 'success'; readonly token: string }
  | { readonly result: 'cancelled' | 'provider_requested' }

/** Where the fleet goes on when its run has ended; null where it is not sent anywhere, or may not be any more. */
export function redirectUrlFor(
  { settings }: LinkRun,
  application: LinkApplication,
  ending: LinkResult,
): string | null {
  const { redirectUrl, state } = settings
  if (redirectUrl === undefined || !mayRedirect(redirectUrl, application)) return null
  const ours = new URLSearchParams()
  if (ending.result === 'success') ours.set('token', ending.token)
  if (state !== undefined) ours.set('state', state)
  ours.set('result', ending.result)
  return withQuery(redirectUrl, ours)
}

/** What is in the query already stays as it is, but for what would be taken for ours. */
function withQuery(address: string, ours: URLSearchParams): string {
  const url = new URL(address)
  for (const name of ['token', 'state', 'result'])
    if (url.searchParams.has(name)) url.searchParams.delete(name)
  url.search = [url.search.slice(1), ours.toString()].filter(Boolean).join('&')
  return url.href
}
