import type { SignIn } from '../../../providers/provider.ts'
import { findUnsupportedProvider, unlistedProvider } from '../../../providers/unsupported-providers.ts'
import type { ConnectionCommandDeps } from '../command-deps.ts'
import { isLinkable } from './validate-settings.ts'
import type { LinkRun } from './link-run.ts'
import { updateRun, clearedSignIn } from './link-run-repository.ts'

type LinkRunDeps = Pick<ConnectionCommandDeps, 'db' | 'registry'>

/** Whether the fleet can choose another provider than that of the run. */
export const mayChoose = ({ isAgain, settings }: LinkRun): boolean =>
  isAgain === 0 && settings.provider === undefined

/**
 * Sets the provider of a run, or clears it for a new choice. Ignores a provider that the fleet can neither
 * sign in to nor request. Clears the consent, because it was for the data of another provider.
 */
export async function chooseProvider(
  { db, registry }: LinkRunDeps,
  run: LinkRun,
  code: string | null,
): Promise<void> {
  if (!mayChoose(run)) return
  if (code !== null && !isChoosable(code, registry)) return
  const changes = { provider: code, signIn: null, problem: null, agreedAt: null, ...clearedSignIn }
  await updateRun(db, run, { status: 'open' }, changes)
}

function isChoosable(code: string, registry: LinkRunDeps['registry']): boolean {
  const adapter = registry.find(code)
  return adapter
    ? isLinkable(adapter.manifest)
    : code === unlistedProvider.code || findUnsupportedProvider(registry, code) !== null
}

/** Sets the sign-in method of a run. Ignores a method that the provider does not have. */
export async function chooseSignIn(deps: LinkRunDeps, run: LinkRun, id: string): Promise<void> {
  if (!signInWaysOf(deps, run).some((way) => way.id === id)) return
  await updateRun(deps.db, run, { status: 'open' }, { signIn: id, problem: null, ...clearedSignIn })
}

/** Returns the sign-in methods of the provider of a run. */
export const signInWaysOf = (
  { registry }: Pick<LinkRunDeps, 'registry'>,
  { provider }: LinkRun,
): readonly SignIn[] => (provider === null ? null : registry.find(provider))?.manifest.signIns ?? []

/**
 * Returns the chosen sign-in method of a run, else the first method of its provider. Null if the run has no provider,
 * or one without an adapter.
 */
export function chosenWay(deps: Pick<LinkRunDeps, 'registry'>, run: LinkRun): SignIn | null {
  const ways = signInWaysOf(deps, run)
  return ways.find(({ id }) => id === run.signIn) ?? ways[0] ?? null
}
