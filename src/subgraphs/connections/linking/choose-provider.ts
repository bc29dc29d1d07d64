import type { SignIn } from '../../../providers/provider.ts'
import { findUnsupportedProvider, unlistedProvider } from '../../../providers/unsupported-providers.ts'
import type { ConnectionCommandDeps } from '../command-deps.ts'
import { isLinkable } from './validate-settings.ts'
import type { LinkRun } from './link-run.ts'
import { updateRun, clearedSignIn } from './link-run-repository.ts'

type LinkRunDeps = Pick<ConnectionCommandDeps, 'db' | 'registry'>

/** Whether the fleet may take another provider than the one that the run has. */
export const mayChoose = ({ isAgain, settings }: LinkRun): boolean =>
  isAgain === 0 && settings.provider === undefined

/**
 * Takes the provider that a fleet has chosen, or lets it choose again. One that it can neither sign in at nor ask for is
 * not taken. What was agreed to was what another provider shares.
 */
export async function chooseProvider(
  { db, registry }: LinkRunDeps,
  run: LinkRun,
  code: string | null,
): Promise<void> {
  if (!mayChoose(run)) return
  if (code !== null && !isToChoose(code, registry)) return
  const changes = { provider: code, signIn: null, problem: null, agreedAt: null, ...clearedSignIn }
  await updateRun(db, run, { status: 'open' }, changes)
}

function isToChoose(code: string, registry: LinkRunDeps['registry']): boolean {
  const listed = registry.find(code)
  return listed
    ? isLinkable(listed.manifest)
    : code === unlistedProvider.code || findUnsupportedProvider(registry, code) !== null
}

/** Takes the way in which a fleet wants to sign in. */
export async function chooseSignIn(deps: LinkRunDeps, run: LinkRun, id: string): Promise<void> {
  if (!signInWaysOf(deps, run).some((way) => way.id === id)) return
  await updateRun(deps.db, run, { status: 'open' }, { signIn: id, problem: null, ...clearedSignIn })
}

/** The ways of signing in at a run's provider. */
export const signInWaysOf = (
  { registry }: Pick<LinkRunDeps, 'registry'>,
  { provider }: LinkRun,
): readonly SignIn[] => (provider === null ? null : registry.find(provider))?.manifest.signIns ?? []

/** The way that a run has taken, or the usual one; null where there is no provider yet, or no longer. */
export function chosenWay(deps: Pick<LinkRunDeps, 'registry'>, run: LinkRun): SignIn | null {
  const ways = signInWaysOf(deps, run)
  return ways.find(({ id }) => id === run.signIn) ?? ways[0] ?? null
}
