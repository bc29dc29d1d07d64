import type { ConnectionCommandDeps } from '../command-deps.ts'
import type { LinkRun } from './link-run.ts'
import { updateRun } from './link-run-repository.ts'

/** What a fleet agrees to, and from where. */
export interface Consent {
  readonly agreementUrl: string
  readonly ipAddress: string
  readonly userAgent: string | null
}

/** Notes that a fleet shares its data, once it has signed in. */
export async function recordConsent(
  { db, clock }: Pick<ConnectionCommandDeps, 'db' | 'clock'>,
  run: LinkRun,
  { agreementUrl, ...from }: Consent,
): Promise<void> {
  const { provider, credentialsSealed } = run
  if (credentialsSealed === '' || run.problem !== null || run.agreedAt !== null) return
  const settings = { ...run.settings, agreementUrl }
  const held = { status: 'open', provider, credentialsSealed } as const
  await updateRun(db, run, held, { agreedAt: clock.now(), settings, ...from })
}
