import { settledWithin } from '../../platform/lifecycle/timeout.ts'
import { type AccountCheckDeps, checkAccount } from '../../subgraphs/connections/linking/check-account.ts'
import type { LinkRun } from '../../subgraphs/connections/linking/link-run.ts'

const CLOSE_TIMEOUT_MS = 5_000

/** Account checks that run in this process. Each fleet waits for its check on a page of its run. */
export class AccountCheckQueue {
  private readonly running = new Set<Promise<void>>()

  constructor(private readonly deps: AccountCheckDeps) {}

  start(run: LinkRun): void {
    const check = checkAccount(this.deps, run).finally(() => this.running.delete(check))
    this.running.add(check)
  }

  /** Waits up to five seconds for the running checks. The fleet of an unfinished check can try again. */
  async close(): Promise<void> {
    await settledWithin(CLOSE_TIMEOUT_MS, [...this.running])
  }
}
