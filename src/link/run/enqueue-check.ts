import { beginCheck } from '../../subgraphs/connections/linking/check-account.ts'
import { findRunByToken } from '../../subgraphs/connections/linking/link-run-repository.ts'
import type { LinkDeps } from '../link-deps.ts'
import type { LinkRequestContext } from '../request-context.ts'

/**
 * Starts the check of a run's account, if nothing else of the run is missing. Throws `too_many_requests` after too many
 * sign-in attempts.
 */
export async function enqueueCheckIfReady(
  deps: LinkDeps,
  { remoteAddress }: Pick<LinkRequestContext, 'remoteAddress'>,
  token: string,
): Promise<void> {
  const run = await findRunByToken(deps.db, token)
  const checkingRun = run && (await beginCheck(deps, run, remoteAddress))
  if (checkingRun) deps.checks.start(checkingRun)
}
