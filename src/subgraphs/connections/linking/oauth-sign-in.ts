import { hashOf, randomPart } from '../../../auth/keys.ts'
import type { OAuthClient, ProviderCredentials } from '../../../providers/provider.ts'
import type { ConnectionCommandDeps } from '../command-deps.ts'
import { signInWaysOf } from './choose-provider.ts'
import type { LinkProblem, LinkRun, RunSettings } from './link-run.ts'
import {
  updateRun,
  isExpired,
  findRunByState,
  encryptCredentials,
  clearedSignIn,
} from './link-run-repository.ts'
import { linkProblemOf } from './link-error.ts'
import { encryptionContext } from '../../tables/encrypted-columns.ts'

type OAuthDeps = Pick<ConnectionCommandDeps, 'db' | 'registry' | 'secrets' | 'clock'>

export const OAUTH_MS = 10 * 60_000
const EXCHANGE_MS = 20_000

/** Where a fleet is sent to sign in, and what its browser keeps meanwhile: nobody else can end what it has begun. */
export interface OAuthRedirect {
  readonly authorizeUrl: string
  readonly binding: string
}

/** Makes ready what a sign-in at the provider takes; null where nobody signs in at the provider itself. */
export async function beginOAuth(
  deps: OAuthDeps,
  run: LinkRun,
  redirectUri: string,
  settings: RunSettings = run.settings,
): Promise<OAuthRedirect | null> {
  const client = oauthOf(deps, run)
  const way = signInWaysOf(deps, run).find(({ kind }) => kind === 'oauth')
  if (!client || !way) return null
  const [state, binding] = [randomPart(), randomPart()]
  const verifier = randomPart() + randomPart()
  const begun = await updateRun(
    deps.db,
    run,
    { status: 'open', provider: run.provider },
    {
      settings,
      signIn: way.id,
      problem: null,
      ...clearedSignIn,
      oauthStateHash: hashOf(state),
      oauthBindingHash: hashOf(binding),
      oauthVerifierSealed: deps.secrets.seal(
        verifier,
        encryptionContext('link_runs.oauthVerifierSealed', run),
      ),
      oauthExpiresAt: deps.clock.now() + OAUTH_MS,
    },
  )
  if (!begun) return null
  return { authorizeUrl: client.authorizeUrl({ state, challenge: hashOf(verifier), redirectUri }), binding }
}

/** What a provider sends a fleet back with. */
export interface OAuthReturn {
  readonly state: string
  readonly code: string | null
  /** An error of OAuth 2, such as access_denied. */
  readonly error: string | null
  /** What the browser has kept for a run. */
  readonly bindingOf: (run: Pick<LinkRun, 'id'>) => string | null
  readonly redirectUri: string
}

/**
 * Ends a sign-in at the provider: with credentials in the run, or with what the fleet is told in place of them. Null
 * where the state is unknown or spent, or another browser's: then nothing happens.
 */
export async function endOAuth(deps: OAuthDeps, given: OAuthReturn): Promise<LinkRun | null> {
  const run = await findRunByState(deps.db, given.state)
  const binding = run && given.bindingOf(run)
  if (!run || binding === null || hashOf(binding) !== run.oauthBindingHash) return null
  const { oauthStateHash } = run
  const spent = await updateRun(deps.db, run, { status: 'open', oauthStateHash }, clearedSignIn)
  if (!spent) return null
  const ended = await credentialsOrProblem(deps, run, given)
  const changes: Partial<LinkRun> =
    typeof ended === 'string'
      ? { problem: ended }
      : { problem: null, credentialsSealed: encryptCredentials(deps.secrets, run, ended) }
  // Who has gone on meanwhile, in another window, goes on there.
  const waits = { oauthStateHash: null, credentialsSealed: '', provider: run.provider }
  await updateRun(deps.db, run, { status: 'open', ...waits }, changes)
  return { ...run, ...clearedSignIn, ...changes }
}

async function credentialsOrProblem(
  deps: OAuthDeps,
  run: LinkRun,
  { code, error, redirectUri }: OAuthReturn,
): Promise<ProviderCredentials | LinkProblem> {
  const now = deps.clock.now()
  if (isExpired(run, now) || (run.oauthExpiresAt ?? 0) <= now) return 'sign_in_expired'
  if (error !== null) return problemOfReturn(error)
  const client = oauthOf(deps, run)
  if (!client || code === null) return 'our_fault'
  try {
    const verifier = deps.secrets.open(
      run.oauthVerifierSealed,
      encryptionContext('link_runs.oauthVerifierSealed', run),
    )
    return await client.exchange({ code, verifier, redirectUri }, AbortSignal.timeout(EXCHANGE_MS))
  } catch (failure) {
    const problem = linkProblemOf(failure)
    return problem === 'wrong_credentials' ? 'sign_in_expired' : problem
  }
}

function problemOfReturn(error: string): LinkProblem {
  if (error === 'access_denied') return 'sign_in_cancelled'
  if (error === 'invalid_scope') return 'missing_permission'
  return error === 'server_error' || error === 'temporarily_unavailable' ? 'provider_down' : 'our_fault'
}

const oauthOf = ({ registry }: OAuthDeps, { provider }: LinkRun): OAuthClient | null =>
  (provider === null ? null : registry.find(provider))?.oauth ?? null
