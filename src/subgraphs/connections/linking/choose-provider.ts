import type { SignIn } from '../../../providers/provider.ts'
import { findUnsupported, unlisted } from '../../../providers/unsupported.ts'
import type { ConnectionWritesFrom } from '../writes-from.ts'
import { isLinkable } from './check-settings.ts'
import type { LinkRun } from './link-run.ts'
import { changeRun, withoutSignIn } from './link-runs.ts'

type From = Pick<ConnectionWritesFrom, 'db' | 'registry'>

/** Whether the fleet may take another provider than the one that the run has. */
export const mayChoose = ({ isAgain, settings }: LinkRun): boolean =>
  isAgain === 0 && settings.provider === undefined

/**
 * Takes the provider that a fleet has chosen, or lets it choose again. One that it can neither sign in at nor ask for is
 * not taken. What was agreed to was what another provider shares.
 */
export async function chooseProvider(
  { db, registry }: From,
  run: LinkRun,
  code: string | null,
): Promise<void> {
  if (!mayChoose(run)) return
  if (code !== null && !isToChoose(code, registry)) return
  const changes = { provider: code, signIn: null, problem: null, agreedAt: null, ...withoutSignIn }
  await changeRun(db, run, { status: 'open' }, changes)
}

function isToChoose(code: string, registry: From['registry']): boolean {
  const listed = registry.find(code)
  return listed
    ? isLinkable(listed.manifest)
    : code === unlisted.code || findUnsupported(registry, code) !== null
}

/** Takes the way in which a fleet wants to sign in. */
export async function chooseSignIn(from: From, run: LinkRun, id: string): Promise<void> {
  if (!waysOf(from, run).some((way) => way.id === id)) return
  await changeRun(from.db, run, { status: 'open' }, { signIn: id, problem: null, ...withoutSignIn })
}

/** The ways of signing in at a run's provider. */
export const waysOf = ({ registry }: Pick<From, 'registry'>, { provider }: LinkRun): readonly SignIn[] =>
  (provider === null ? null : registry.find(provider))?.manifest.signIns ?? []

/** The way that a run has taken, or the usual one; null where there is no provider yet, or no longer. */
export function chosenWay(from: Pick<From, 'registry'>, run: LinkRun): SignIn | null {
  const ways = waysOf(from, run)
  return ways.find(({ id }) => id === run.signIn) ?? ways[0] ?? null
}
