import { settledWithin } from '../queue/deadline.ts'
import { beginCheck, type CheckFrom, checkAccount } from '../subgraphs/connections/linking/check-account.ts'
import type { LinkRun } from '../subgraphs/connections/linking/link-run.ts'
import { runOfToken } from '../subgraphs/connections/linking/link-runs.ts'
import type { LinkFrom } from './link-from.ts'
import type { Visit } from './visit.ts'

const CLOSING_MS = 5_000

/** The accounts that this process is looking at, while their fleets wait on a page. */
export class Checks {
  private readonly running = new Set<Promise<void>>()

  constructor(private readonly from: CheckFrom) {}

  start(run: LinkRun): void {
    const check = checkAccount(this.from, run).finally(() => this.running.delete(check))
    this.running.add(check)
  }

  /** Waits a moment for them; a fleet whose check is lost can try again. */
  async close(): Promise<void> {
    await settledWithin(CLOSING_MS, [...this.running])
  }
}

/** Has the account looked at where nothing else is missing; refused where too many sign-ins were tried. */
export async function checkIfReady(
  from: LinkFrom,
  { remoteAddress }: Pick<Visit, 'remoteAddress'>,
  token: string,
): Promise<void> {
  const run = await runOfToken(from.db, token)
  const checking = run && (await beginCheck(from, run, remoteAddress))
  if (checking) from.checks.start(checking)
}
