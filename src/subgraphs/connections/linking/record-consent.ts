import type { ConnectionCommandDeps } from '../command-deps.ts'
import type { LinkRun } from './link-run.ts'
import { updateRun } from './link-run-repository.ts'

/** Consent of a fleet, with the client that gave it. */
export interface Consent {
  readonly agreementUrl: string
  readonly ipAddress: string
  readonly userAgent: string | null
}

/** Whether the fleet has consented, in this run or, to the same agreement, in an earlier one. */
export const hasConsented = ({ agreedAt, settings }: Pick<LinkRun, 'agreedAt' | 'settings'>): boolean =>
  agreedAt !== null || settings.hasAgreed === true

/** Records the consent of a fleet to share its data. Without a successful sign-in, it has no effect. */
export async function recordConsent(
  { db, clock }: Pick<ConnectionCommandDeps, 'db' | 'clock'>,
  run: LinkRun,
  { agreementUrl, ...client }: Consent,
): Promise<void> {
  const { provider, credentialsSealed } = run
  if (credentialsSealed === '' || run.problem !== null || hasConsented(run)) return
  const settings = { ...run.settings, agreementUrl }
  const expected = { status: 'open', provider, credentialsSealed } as const
  await updateRun(db, run, expected, { agreedAt: clock.now(), settings, ...client })
}
