import { beginCheck } from '../../subgraphs/connections/linking/check-account.ts'
import { findRunByToken } from '../../subgraphs/connections/linking/link-run-repository.ts'
import type { LinkDeps } from '../link-deps.ts'
import type { LinkRequestContext } from '../request-context.ts'

/** Starts the check of a run's account if the run lacks nothing else. Throws `too_many_requests` after too many sign-ins. */
export async function enqueueCheckIfReady(
  deps: LinkDeps,
  { remoteAddress }: Pick<LinkRequestContext, 'remoteAddress'>,
  token: string,
): Promise<void> {
  const run = await findRunByToken(deps.db, token)
  const checking = run && (await beginCheck(deps, run, remoteAddress))
  if (checking) deps.checks.start(checking)
}
