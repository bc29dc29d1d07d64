import { settledWithin } from '../platform/lifecycle/timeout.ts'
import {
  beginCheck,
  type AccountCheckDeps,
  checkAccount,
} from '../subgraphs/connections/linking/check-account.ts'
import type { LinkRun } from '../subgraphs/connections/linking/link-run.ts'
import { findRunByToken } from '../subgraphs/connections/linking/link-run-repository.ts'
import type { LinkDeps } from './link-deps.ts'
import type { LinkRequestContext } from './request-context.ts'

const CLOSING_MS = 5_000

/** The accounts that this process is looking at, while their fleets wait on a page. */
export class AccountCheckQueue {
  private readonly running = new Set<Promise<void>>()

  constructor(private readonly deps: AccountCheckDeps) {}

  start(run: LinkRun): void {
    const check = checkAccount(this.deps, run).finally(() => this.running.delete(check))
    this.running.add(check)
  }

  /** Waits a moment for them; a fleet whose check is lost can try again. */
  async close(): Promise<void> {
    await settledWithin(CLOSING_MS, [...this.running])
  }
}

/** Has the account looked at where nothing else is missing; refused where too many sign-ins were tried. */
export async function enqueueCheckIfReady(
  deps: LinkDeps,
  { remoteAddress }: Pick<LinkRequestContext, 'remoteAddress'>,
  token: string,
): Promise<void> {
  const run = await findRunByToken(deps.db, token)
  const checking = run && (await beginCheck(deps, run, remoteAddress))
  if (checking) deps.checks.start(checking)
}
