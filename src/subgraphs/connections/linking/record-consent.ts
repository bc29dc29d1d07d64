import type { ConnectionCommandDeps } from '../command-deps.ts'
import type { LinkRun } from './link-run.ts'
import { updateRun } from './link-run-repository.ts'

/** Consent of a fleet, with the client that gave it. */
export interface Consent {
  readonly agreementUrl: string
  readonly ipAddress: string
  readonly userAgent: string | null
}

/** Records the consent of a fleet to share its data. Without a successful sign-in, it has no effect. */
export async function recordConsent(
  { db, clock }: Pick<ConnectionCommandDeps, 'db' | 'clock'>,
  run: LinkRun,
  { agreementUrl, ...client }: Consent,
): Promise<void> {
  const { provider, credentialsSealed } = run
  if (credentialsSealed === '' || run.problem !== null || run.agreedAt !== null) return
  const settings = { ...run.settings, agreementUrl }
  const expected = { status: 'open', provider, credentialsSealed } as const
  await updateRun(db, run, expected, { agreedAt: clock.now(), settings, ...client })
}
