import type { FleetAccount, ProviderAdapter, ProviderCredentials } from '../../../providers/provider.ts'
import type { Transaction } from '../../../storage/database.ts'
import type { Instant } from '../../../domain/time.ts'
import type { Actor } from '../../tables/audit-log.ts'
import type { AcceptedAgreement } from '../lifecycle/accept-agreements.ts'
import { backfillStart } from '../validate-input.ts'
import { findApplication } from '../applications/lock-application.ts'
import type { Connection } from '../connection.ts'
import { requireAvailable } from '../providers/available-providers.ts'
import type { NewConnectionInput } from '../lifecycle/new-connection.ts'
import { signInAndIdentify } from '../lifecycle/identify-account.ts'
import { linkAccount } from '../lifecycle/link-connection.ts'
import { type Reconnection, reconnectConnection } from '../lifecycle/reconnect-connection.ts'
import type { ConnectionCommandDeps } from '../command-deps.ts'
import type { LinkRun } from './link-run.ts'
import { hasConsented } from './record-consent.ts'
import {
  updateRun,
  updateRunIn,
  decryptCredentials,
  hasUsedUpSignIns,
  clearedSignIn,
} from './link-run-repository.ts'
import { type RateLimitSubject, type LinkLimits, takeLinkPermits } from './rate-limit/link-rate-limiter.ts'
import { isTransientProblem, linkProblemOf } from './link-error.ts'

/** A check that runs longer is considered lost, because its process may have died. */
export const CHECK_LOST_MS = 30_000
const MAX_TEXT_LENGTH = 255

export interface AccountCheckDeps extends ConnectionCommandDeps {
  readonly log: { error(fields: object, message: string): void }
}

/** Whether the fleet has signed in and consented, so that the run lacks only the check of its account. */
export const isReady = (run: LinkRun): boolean =>
  run.status === 'open' && hasConsented(run) && run.credentialsSealed !== ''

type BeginCheckDeps = Pick<AccountCheckDeps, 'db' | 'clock'> & { readonly limits: LinkLimits }

/**
 * Starts the check of a ready run. Returns null if the run is not ready, or if another request has started
 * the check. Each check is a sign-in attempt: it counts in the run and takes permits of the rate limits.
 */
export async function beginCheck(
  { db, clock, limits }: BeginCheckDeps,
  run: LinkRun,
  remoteAddress: string,
): Promise<LinkRun | null> {
  if (
    !isReady(run) ||
    hasUsedUpSignIns(run, limits) ||
    (run.problem !== null && !isTransientProblem(run.problem))
  )
    return null
  const now = clock.now()
  const { status, signInsTried, provider, credentialsSealed } = run
  const changes = {
    status: 'checking',
    checkedSince: now,
    problem: null,
    signInsTried: (signInsTried ?? 0) + 1,
  } as const
  const subject: RateLimitSubject = { remoteAddress, entryPointId: run.settings.door ?? run.applicationId }
  const isStarted = await db.transaction(async (tx) => {
    await takeLinkPermits(tx, limits, 'sign_in', subject, now)
    return updateRunIn(tx, run, { status, signInsTried, provider, credentialsSealed }, changes)
  })
  return isStarted ? { ...run, ...changes } : null
}

/** Resets a lost check, so that the fleet can try again. */
export async function resetLostCheck(
  { db, clock }: Pick<AccountCheckDeps, 'db' | 'clock'>,
  run: LinkRun,
): Promise<LinkRun> {
  const { status, checkedSince } = run
  if (status !== 'checking' || clock.now() - (checkedSince ?? 0) < CHECK_LOST_MS) return run
  const changes = { status: 'open', problem: 'our_fault', checkedSince: null } as const
  return (await updateRun(db, run, { status, checkedSince }, changes)) ? { ...run, ...changes } : run
}

/**
 * Checks the account of a run and connects it. One transaction completes the run and creates the connection.
 * On failure the run stores the problem, which the next page shows. Never rejects.
 */
export async function checkAccount(deps: AccountCheckDeps, run: LinkRun): Promise<void> {
  try {
    await connect(deps, run)
  } catch (error) {
    if (error instanceof RunChanged) return
    await storeProblem(deps, run, error).catch((err: unknown) =>
      deps.log.error({ err, linkRunId: run.id }, 'link run problem update failed'),
    )
  }
}

async function storeProblem(deps: AccountCheckDeps, run: LinkRun, err: unknown): Promise<void> {
  const problem = linkProblemOf(err)
  if (problem === 'our_fault') deps.log.error({ err, linkRunId: run.id }, 'account check failed')
  await updateRun(deps.db, run, whileChecking(run), { status: 'open', problem, checkedSince: null })
}

/** Columns that have these values as long as the check of `run` is neither cancelled nor restarted. */
const whileChecking = ({ checkedSince }: LinkRun) => ({ status: 'checking', checkedSince }) as const

async function connect(deps: AccountCheckDeps, run: LinkRun): Promise<void> {
  const provider = run.provider === null ? null : deps.registry.find(run.provider)
  const submitted = decryptCredentials(deps.secrets, run)
  if (!provider || !submitted) throw new Error('A link run cannot be checked before its fleet has signed in')
  requireAvailable(provider.manifest, await findApplication(deps.db, run.applicationId))
  const { account, credentials } = await signInAndIdentify(provider, submitted)
  const signIn: IdentifiedSignIn = { provider, credentials, account, actor: { kind: 'fleet', id: run.id } }
  const inTransaction = (tx: Transaction, { id }: Connection) => endRun(tx, run, id)
  if (run.isAgain === 0)
    await linkAccount(deps, newConnectionInputOf(run, signIn, deps.clock.now()), inTransaction)
  else await reconnectConnection(deps, reconnectionOf(run, signIn), inTransaction)
}

interface IdentifiedSignIn {
  readonly provider: ProviderAdapter
  readonly credentials: ProviderCredentials
  readonly account: FleetAccount
  readonly actor: Actor
}

const reconnectionOf = (run: LinkRun, { credentials, account, actor }: IdentifiedSignIn): Reconnection => ({
  applicationId: run.applicationId,
  connectionId: run.connectionId ?? '',
  credentials,
  account,
  actor,
  agreements: agreementsOf(run),
})

const newConnectionInputOf = (run: LinkRun, signIn: IdentifiedSignIn, now: Instant): NewConnectionInput => ({
  ...signIn,
  applicationId: run.applicationId,
  ...(run.settings.syncMode ? { syncMode: run.settings.syncMode } : {}),
  ...(run.settings.name === undefined ? {} : { company: { name: run.settings.name } }),
  externalId: run.settings.externalId ?? null,
  tags: run.settings.tags ?? [],
  agreements: agreementsOf(run),
  backfillFrom: backfillOf(run, now),
})

function backfillOf({ settings: { backfillDays, backfillFrom } }: LinkRun, now: Instant): Instant | null {
  return backfillStart({ days: backfillDays ?? null, startFrom: backfillFrom ?? null }, now)
}

/** Returns the agreement that the fleet accepted in this run, if it was asked to. */
function agreementsOf({ settings, agreedAt, ipAddress, userAgent }: LinkRun): AcceptedAgreement[] {
  if (agreedAt === null) return []
  return [
    {
      type: 'end-user-agreement',
      agreementUrl: settings.agreementUrl ?? '',
      acceptedAt: agreedAt,
      ipAddress,
      userAgent: userAgent?.slice(0, MAX_TEXT_LENGTH) ?? null,
    },
  ]
}

/** The run was cancelled, or its check was restarted, during the check. */
class RunChanged extends Error {}

async function endRun(tx: Transaction, run: LinkRun, connectionId: string): Promise<void> {
  const changes: Partial<LinkRun> = { status: 'done', connectionId, checkedSince: null, ...clearedSignIn }
  if (!(await updateRunIn(tx, run, whileChecking(run), changes))) throw new RunChanged()
}
