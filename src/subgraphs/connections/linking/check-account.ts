import type { Account, ProviderAdapter, ProviderCredentials } from '../../../providers/provider.ts'
import type { Transaction } from '../../../storage/database.ts'
import type { Instant } from '../../../domain/time.ts'
import type { Actor } from '../../tables/audit-log.ts'
import type { AcceptedAgreement } from '../lifecycle/accept-agreements.ts'
import { startOf } from '../validate-input.ts'
import type { Connection } from '../connection.ts'
import type { NewConnectionInput } from '../lifecycle/new-connection.ts'
import { signInAndIdentify } from '../lifecycle/identify-account.ts'
import { linkAccount } from '../lifecycle/link-connection.ts'
import { type Reconnection, reconnectConnection } from '../lifecycle/reconnect-connection.ts'
import type { ConnectionCommandDeps } from '../command-deps.ts'
import type { LinkRun } from './link-run.ts'
import { updateRun, updateRunIn, decryptCredentials, isSpent, clearedSignIn } from './link-run-repository.ts'
import { type RateLimitSubject, type LinkLimits, takeLinkPermits } from './rate-limit/link-rate-limiter.ts'
import { mayPass, linkProblemOf } from './link-error.ts'

/** After this a check is taken for lost, with the process that made it. */
export const CHECK_LOST_MS = 30_000
const MAX_TEXT_LENGTH = 255

export interface AccountCheckDeps extends ConnectionCommandDeps {
  readonly log: { error(fields: object, message: string): void }
}

/** Whether nothing is missing but a look at the account. */
export const isReady = (run: LinkRun): boolean =>
  run.status === 'open' && run.agreedAt !== null && run.credentialsSealed !== ''

type BeginCheckDeps = Pick<AccountCheckDeps, 'db' | 'clock'> & { readonly limits: LinkLimits }

/**
 * Takes a run that is ready into the check of its account; null where it is not, or another request has done it. Each
 * is a sign-in that is tried: it counts in the run, and takes a turn of whoever tries.
 */
export async function beginCheck(
  { db, clock, limits }: BeginCheckDeps,
  run: LinkRun,
  remoteAddress: string,
): Promise<LinkRun | null> {
  if (!isReady(run) || isSpent(run, limits) || (run.problem !== null && !mayPass(run.problem))) return null
  const now = clock.now()
  const { status, signInsTried, provider, credentialsSealed } = run
  const changes = {
    status: 'checking',
    checkedSince: now,
    problem: null,
    signInsTried: (signInsTried ?? 0) + 1,
  } as const
  const subject: RateLimitSubject = { remoteAddress, door: run.settings.door ?? run.applicationId }
  const begun = await db.transaction(async (tx) => {
    await takeLinkPermits(tx, limits, 'sign_in', subject, now)
    return updateRunIn(tx, run, { status, signInsTried, provider, credentialsSealed }, changes)
  })
  return begun ? { ...run, ...changes } : null
}

/** Lets a fleet try again whose check was lost with its process. */
export async function giveUpCheck(
  { db, clock }: Pick<AccountCheckDeps, 'db' | 'clock'>,
  run: LinkRun,
): Promise<LinkRun> {
  const { status, checkedSince } = run
  if (status !== 'checking' || clock.now() - (checkedSince ?? 0) < CHECK_LOST_MS) return run
  const changes = { status: 'open', problem: 'our_fault', checkedSince: null } as const
  return (await updateRun(db, run, { status, checkedSince }, changes)) ? { ...run, ...changes } : run
}

/**
 * Looks at the account that a run has signed in to and connects it; the run is done in the same transaction. Where it
 * cannot be, the fleet finds the reason when it looks again. Never rejects.
 */
export async function checkAccount(deps: AccountCheckDeps, run: LinkRun): Promise<void> {
  try {
    await connect(deps, run)
  } catch (error) {
    if (error instanceof RunChanged) return
    await logProblem(deps, run, error).catch((err: unknown) =>
      deps.log.error({ err, linkRunId: run.id }, 'a link run could not be told what went wrong'),
    )
  }
}

async function logProblem(deps: AccountCheckDeps, run: LinkRun, err: unknown): Promise<void> {
  const problem = linkProblemOf(err)
  if (problem === 'our_fault') deps.log.error({ err, linkRunId: run.id }, 'an account could not be linked')
  await updateRun(deps.db, run, itsCheck(run), { status: 'open', problem, checkedSince: null })
}

const itsCheck = ({ checkedSince }: LinkRun) => ({ status: 'checking', checkedSince }) as const

async function connect(deps: AccountCheckDeps, run: LinkRun): Promise<void> {
  const provider = run.provider === null ? null : deps.registry.find(run.provider)
  const typed = decryptCredentials(deps.secrets, run)
  if (!provider || !typed) throw new Error('a link run was checked before its fleet had signed in')
  const { account, credentials } = await signInAndIdentify(provider, typed)
  const given: Given = { provider, credentials, account, actor: { kind: 'fleet', id: run.id } }
  const also = (tx: Transaction, { id }: Connection) => endRun(tx, run, id)
  if (run.isAgain === 0) await linkAccount(deps, inputOf(run, given, deps.clock.now()), also)
  else await reconnectConnection(deps, reconnectionOf(run, given), also)
}

interface Given {
  readonly provider: ProviderAdapter
  readonly credentials: ProviderCredentials
  readonly account: Account
  readonly actor: Actor
}

const reconnectionOf = (run: LinkRun, { credentials, account, actor }: Given): Reconnection => ({
  applicationId: run.applicationId,
  connectionId: run.connectionId ?? '',
  credentials,
  account,
  actor,
  agreements: agreementsOf(run),
})

const inputOf = (run: LinkRun, given: Given, now: Instant): NewConnectionInput => ({
  ...given,
  applicationId: run.applicationId,
  ...(run.settings.syncMode ? { syncMode: run.settings.syncMode } : {}),
  ...(run.settings.name === undefined ? {} : { company: { name: run.settings.name } }),
  externalId: run.settings.externalId ?? null,
  tags: run.settings.tags ?? [],
  agreements: agreementsOf(run),
  backfillFrom: backfillOf(run, now),
})

function backfillOf({ settings: { backfillDays, backfillFrom } }: LinkRun, now: Instant): Instant | null {
  return startOf({ days: backfillDays ?? null, startFrom: backfillFrom ?? null }, now)
}

const agreementsOf = ({ settings, agreedAt, ipAddress, userAgent }: LinkRun): AcceptedAgreement[] => [
  {
    type: 'end-user-agreement',
    agreementUrl: settings.agreementUrl ?? '',
    acceptedAt: agreedAt,
    ipAddress,
    userAgent: userAgent?.slice(0, MAX_TEXT_LENGTH) ?? null,
  },
]

/** That a run was cancelled, or checked anew, while its account was looked at. */
class RunChanged extends Error {}

async function endRun(tx: Transaction, run: LinkRun, connectionId: string): Promise<void> {
  const changes: Partial<LinkRun> = { status: 'done', connectionId, checkedSince: null, ...clearedSignIn }
  if (!(await updateRunIn(tx, run, itsCheck(run), changes))) throw new RunChanged()
}
