import { hashKey, randomPart } from '../../../auth/keys.ts'
import { type Id, newId } from '../../../domain/ids.ts'
import { tableOf } from '../../../storage/sql/table.ts'
import type { Connection } from '../connection.ts'
import type { ConnectionCommandDeps } from '../command-deps.ts'
import { LinkRun, type RunSettings } from './link-run.ts'
import { clearedSignIn } from './link-run-repository.ts'
import { type LinkLimits, takeLinkPermits } from './rate-limit/link-rate-limiter.ts'

const RUN_LIFETIME_MS = 60 * 60_000

interface RunInput {
  readonly applicationId: Id<'application'>
  readonly settings: RunSettings & { readonly door: string }
  /** IP address of the client. */
  readonly remoteAddress: string
  /** Connection to sign in to again; absent if the run creates a connection. */
  readonly connection?: Pick<Connection, 'id' | 'provider'>
}

/**
 * Creates a link run and returns the token of its pages. Only the hash of the token is stored. Throws
 * `too_many_requests` if the address, or the key or short link, has begun too many runs within a minute.
 */
export async function beginLinkRun(
  { db, clock, limits }: Pick<ConnectionCommandDeps, 'db' | 'clock'> & { readonly limits: LinkLimits },
  { applicationId, settings, remoteAddress, connection }: RunInput,
): Promise<string> {
  const token = randomPart()
  const now = clock.now()
  const run: LinkRun = {
    id: newId('linkRun', now),
    applicationId,
    connectionId: connection?.id ?? null,
    isAgain: connection ? 1 : 0,
    tokenHash: hashKey(token),
    settings,
    status: 'open',
    provider: connection?.provider ?? settings.provider ?? null,
    signIn: null,
    ...clearedSignIn,
    problem: null,
    checkedSince: null,
    signInsTried: null,
    agreedAt: null,
    ipAddress: null,
    userAgent: null,
    createdAt: now,
    expiresAt: now + RUN_LIFETIME_MS,
  }
  await db.transaction(async (tx) => {
    await takeLinkPermits(tx, limits, 'run', { remoteAddress, entryPointId: settings.door }, now)
    await tx.insert(tableOf(LinkRun), [run])
  })
  return token
}
