import type { ConnectionWritesFrom } from '../writes-from.ts'
import type { LinkRun } from './link-run.ts'
import { changeRun } from './link-runs.ts'

/** What a fleet agrees to, and from where. */
export interface Consent {
  readonly agreementUrl: string
  readonly ipAddress: string
  readonly userAgent: string | null
}

/** Notes that a fleet shares its data, once it has signed in. */
export async function agreeToShare(
  { db, clock }: Pick<ConnectionWritesFrom, 'db' | 'clock'>,
  run: LinkRun,
  { agreementUrl, ...from }: Consent,
): Promise<void> {
  const { provider, credentialsSealed } = run
  if (credentialsSealed === '' || run.problem !== null || run.agreedAt !== null) return
  const settings = { ...run.settings, agreementUrl }
  const held = { status: 'open', provider, credentialsSealed } as const
  await changeRun(db, run, held, { agreedAt: clock.now(), settings, ...from })
}
