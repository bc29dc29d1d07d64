import type { Account, ProviderAdapter, ProviderCredentials } from '../../../providers/provider.ts'
import type { Transaction } from '../../../storage/database.ts'
import type { Instant } from '../../../time.ts'
import type { Actor } from '../../audit.ts'
import type { AgreementWish } from '../life/accept-agreements.ts'
import { startOf } from '../check-input.ts'
import type { Connection } from '../connection.ts'
import type { ConnectionWish } from '../life/create-connection.ts'
import { openedAccount } from '../life/identify-account.ts'
import { linkAccount } from '../life/link-connection.ts'
import { type Reconnection, reconnectConnection } from '../life/reconnect-connection.ts'
import type { ConnectionWritesFrom } from '../writes-from.ts'
import type { LinkRun } from './link-run.ts'
import { changeRun, changeRunIn, credentialsIn, isSpent, withoutSignIn } from './link-runs.ts'
import { type Comer, type LinkLimits, takeTurns } from './link-turns.ts'
import { mayPass, problemOf } from './problem-of.ts'

/** After this a check is taken for lost, with the process that made it. */
export const CHECK_LOST_MS = 30_000
const LONGEST_TEXT = 255

export interface CheckFrom extends ConnectionWritesFrom {
  readonly log: { error(fields: object, message: string): void }
}

/** Whether nothing is missing but a look at the account. */
export const isReady = (run: LinkRun): boolean =>
  run.status === 'open' && run.agreedAt !== null && run.credentialsSealed !== ''

type BeginFrom = Pick<CheckFrom, 'db' | 'clock'> & { readonly limits: LinkLimits }

/**
 * Takes a run that is ready into the check of its account; null where it is not, or another request has done it. Each
 * is a sign-in that is tried: it counts in the run, and takes a turn of whoever tries.
 */
export async function beginCheck(
  { db, clock, limits }: BeginFrom,
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
  const comer: Comer = { remoteAddress, door: run.settings.door ?? run.applicationId }
  const begun = await db.transaction(async (tx) => {
    await takeTurns(tx, limits, 'sign_in', comer, now)
    return changeRunIn(tx, run, { status, signInsTried, provider, credentialsSealed }, changes)
  })
  return begun ? { ...run, ...changes } : null
}

/** Lets a fleet try again whose check was lost with its process. */
export async function giveUpCheck(
  { db, clock }: Pick<CheckFrom, 'db' | 'clock'>,
  run: LinkRun,
): Promise<LinkRun> {
  const { status, checkedSince } = run
  if (status !== 'checking' || clock.now() - (checkedSince ?? 0) < CHECK_LOST_MS) return run
  const changes = { status: 'open', problem: 'our_fault', checkedSince: null } as const
  return (await changeRun(db, run, { status, checkedSince }, changes)) ? { ...run, ...changes } : run
}

/**
 * Looks at the account that a run has signed in to and connects it; the run is done in the same transaction. Where it
 * cannot be, the fleet finds the reason when it looks again. Never rejects.
 */
export async function checkAccount(from: CheckFrom, run: LinkRun): Promise<void> {
  try {
    await connect(from, run)
  } catch (error) {
    if (error instanceof RunWentOn) return
    await tell(from, run, error).catch((err: unknown) =>
      from.log.error({ err, linkRunId: run.id }, 'a link run could not be told what went wrong'),
    )
  }
}

async function tell(from: CheckFrom, run: LinkRun, err: unknown): Promise<void> {
  const problem = problemOf(err)
  if (problem === 'our_fault') from.log.error({ err, linkRunId: run.id }, 'an account could not be linked')
  await changeRun(from.db, run, itsCheck(run), { status: 'open', problem, checkedSince: null })
}

const itsCheck = ({ checkedSince }: LinkRun) => ({ status: 'checking', checkedSince }) as const

async function connect(from: CheckFrom, run: LinkRun): Promise<void> {
  const provider = run.provider === null ? null : from.registry.find(run.provider)
  const typed = credentialsIn(from.secrets, run)
  if (!provider || !typed) throw new Error('a link run was checked before its fleet had signed in')
  const { account, credentials } = await openedAccount(provider, typed)
  const given: Given = { provider, credentials, account, actor: { kind: 'fleet', id: run.id } }
  const also = (tx: Transaction, { id }: Connection) => endRun(tx, run, id)
  if (run.isAgain === 0) await linkAccount(from, wishOf(run, given, from.clock.now()), also)
  else await reconnectConnection(from, reconnectionOf(run, given), also)
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

const wishOf = (run: LinkRun, given: Given, now: Instant): ConnectionWish => ({
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

const agreementsOf = ({ settings, agreedAt, ipAddress, userAgent }: LinkRun): AgreementWish[] => [
  {
    type: 'end-user-agreement',
    agreementUrl: settings.agreementUrl ?? '',
    acceptedAt: agreedAt,
    ipAddress,
    userAgent: userAgent?.slice(0, LONGEST_TEXT) ?? null,
  },
]

/** That a run was cancelled, or checked anew, while its account was looked at. */
class RunWentOn extends Error {}

async function endRun(tx: Transaction, run: LinkRun, connectionId: string): Promise<void> {
  const changes: Partial<LinkRun> = { status: 'done', connectionId, checkedSince: null, ...withoutSignIn }
  if (!(await changeRunIn(tx, run, itsCheck(run), changes))) throw new RunWentOn()
}
