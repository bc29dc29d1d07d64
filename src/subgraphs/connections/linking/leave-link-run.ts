import type { ConnectionWritesFrom } from '../writes-from.ts'
import { chooseProvider } from './choose-provider.ts'
import type { LinkRun } from './link-run.ts'
import { changeRun, withoutSignIn } from './link-runs.ts'

type From = Pick<ConnectionWritesFrom, 'db' | 'registry'>

/** Goes a step back: from what is shared to the sign-in, from there to the choice of the provider. */
export async function goBack(from: From, run: LinkRun): Promise<void> {
  if (run.credentialsSealed === '' || run.problem !== null) return chooseProvider(from, run, null)
  await changeRun(from.db, run, { status: 'open' }, withoutSignIn)
}

/** Ends a run without a connection, also while the account is being looked at. */
export async function cancelLinkRun({ db }: Pick<From, 'db'>, run: LinkRun): Promise<void> {
  const changes: Partial<LinkRun> = { status: 'cancelled', problem: null, ...withoutSignIn }
  if (await changeRun(db, run, { status: 'open' }, changes)) return
  await changeRun(db, run, { status: 'checking' }, changes)
}

/** Forgets what an expired run was signed in with. */
export async function forgetSignIn({ db }: Pick<From, 'db'>, run: LinkRun): Promise<void> {
  if (run.credentialsSealed === '' && run.oauthVerifierSealed === '') return
  await changeRun(db, run, { status: run.status }, withoutSignIn)
}
