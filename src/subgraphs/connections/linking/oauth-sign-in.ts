import { hashKey, randomPart } from '../../../auth/keys.ts'
import type { OAuthClient, ProviderCredentials } from '../../../providers/provider.ts'
import type { ConnectionCommandDeps } from '../command-deps.ts'
import { findApplication } from '../applications/lock-application.ts'
import { availableProviders } from '../providers/available-providers.ts'
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
import { deadlineSignal } from '../../../platform/lifecycle/deadline.ts'

type OAuthDeps = Pick<ConnectionCommandDeps, 'db' | 'registry' | 'secrets' | 'clock'>

/** Time in which the fleet must return from the sign-in at the provider. */
export const OAUTH_MS = 10 * 60_000
const EXCHANGE_TIMEOUT_MS = 20_000

/**
 * URL of the sign-in at the provider, and the binding: a random value for a cookie. Only the browser with this cookie
 * can complete the sign-in.
 */
export interface OAuthRedirect {
  readonly authorizeUrl: string
  readonly binding: string
}

/**
 * Starts an OAuth sign-in and stores `settings` in the run, because the requested language may have changed. Null if
 * the provider has no OAuth, or if the run has changed meanwhile.
 */
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
  // PKCE requires a verifier of at least 43 characters; one random part has 32.
  const verifier = randomPart() + randomPart()
  const isStarted = await updateRun(
    deps.db,
    run,
    { status: 'open', provider: run.provider },
    {
      settings,
      signIn: way.id,
      problem: null,
      ...clearedSignIn,
      oauthStateHash: hashKey(state),
      oauthBindingHash: hashKey(binding),
      oauthVerifierSealed: deps.secrets.seal(
        verifier,
        encryptionContext('link_runs.oauthVerifierSealed', run),
      ),
      oauthExpiresAt: deps.clock.now() + OAUTH_MS,
    },
  )
  if (!isStarted) return null
  return { authorizeUrl: client.authorizeUrl({ state, challenge: hashKey(verifier), redirectUri }), binding }
}

/** Parameters of the redirect from the provider. */
export interface OAuthReturn {
  readonly state: string
  readonly code: string | null
  /** OAuth 2 error code, such as access_denied. */
  readonly error: string | null
  /** Returns the binding cookie of the browser for a run. */
  readonly bindingOf: (run: Pick<LinkRun, 'id'>) => string | null
  readonly redirectUri: string
}

/**
 * Completes an OAuth sign-in: stores the credentials or the problem in the run. Returns null without a change if the
 * state is unknown or already used, or if the sign-in began in another browser.
 */
export async function endOAuth(deps: OAuthDeps, given: OAuthReturn): Promise<LinkRun | null> {
  const run = await findRunByState(deps.db, given.state)
  const binding = run && given.bindingOf(run)
  if (!run || binding === null || hashKey(binding) !== run.oauthBindingHash) return null
  const { oauthStateHash } = run
  const isConsumed = await updateRun(deps.db, run, { status: 'open', oauthStateHash }, clearedSignIn)
  if (!isConsumed) return null
  const result = await credentialsOrProblem(deps, run, given)
  const changes: Partial<LinkRun> =
    typeof result === 'string'
      ? { problem: result }
      : { problem: null, credentialsSealed: encryptCredentials(deps.secrets, run, result) }
  // If the fleet has signed in or chosen again in another window meanwhile, the result of that window stays.
  const expected = { oauthStateHash: null, credentialsSealed: '', provider: run.provider }
  await updateRun(deps.db, run, { status: 'open', ...expected }, changes)
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
  const application = await findApplication(deps.db, run.applicationId)
  const client = oauthOf({ registry: availableProviders(deps.registry, application) }, run)
  if (!client || code === null) return 'our_fault'
  try {
    const verifier = deps.secrets.open(
      run.oauthVerifierSealed,
      encryptionContext('link_runs.oauthVerifierSealed', run),
    )
    return await client.exchange({ code, verifier, redirectUri }, deadlineSignal(EXCHANGE_TIMEOUT_MS))
  } catch (failure) {
    const problem = linkProblemOf(failure)
    // The exchange sends no credentials of the fleet. The provider has refused the code; a new sign-in gets a new code.
    return problem === 'wrong_credentials' ? 'sign_in_expired' : problem
  }
}

function problemOfReturn(error: string): LinkProblem {
  if (error === 'access_denied') return 'sign_in_cancelled'
  if (error === 'invalid_scope') return 'missing_permission'
  return error === 'server_error' || error === 'temporarily_unavailable' ? 'provider_down' : 'our_fault'
}

const oauthOf = ({ registry }: Pick<OAuthDeps, 'registry'>, { provider }: LinkRun): OAuthClient | null =>
  (provider === null ? null : registry.find(provider))?.oauth ?? null
