import type { ConnectionCommandDeps } from '../command-deps.ts'
import { chooseProvider } from './choose-provider.ts'
import type { LinkRun } from './link-run.ts'
import { updateRun, clearedSignIn } from './link-run-repository.ts'

type LinkRunDeps = Pick<ConnectionCommandDeps, 'db' | 'registry'>

/** Goes one step back: from the consent to the sign-in, or from the sign-in to the choice of the provider. */
export async function goBack(deps: LinkRunDeps, run: LinkRun): Promise<void> {
  if (run.credentialsSealed === '' || run.problem !== null) return chooseProvider(deps, run, null)
  await updateRun(deps.db, run, { status: 'open' }, clearedSignIn)
}

/** Cancels a run, also during the check of its account. */
export async function cancelLinkRun({ db }: Pick<LinkRunDeps, 'db'>, run: LinkRun): Promise<void> {
  const changes: Partial<LinkRun> = { status: 'cancelled', problem: null, ...clearedSignIn }
  if (await updateRun(db, run, { status: 'open' }, changes)) return
  await updateRun(db, run, { status: 'checking' }, changes)
}

/** Deletes the credentials of an expired run. */
export async function clearSignIn({ db }: Pick<LinkRunDeps, 'db'>, run: LinkRun): Promise<void> {
  if (run.credentialsSealed === '' && run.oauthVerifierSealed === '') return
  await updateRun(db, run, { status: run.status }, clearedSignIn)
}
