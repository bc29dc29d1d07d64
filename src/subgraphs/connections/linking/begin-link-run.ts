import { hashOf, randomPart } from '../../../auth/keys.ts'
import { type Id, newId } from '../../../ids.ts'
import { tableOf } from '../../../storage/table.ts'
import type { Connection } from '../connection.ts'
import type { ConnectionWritesFrom } from '../writes-from.ts'
import { LinkRun, type RunSettings } from './link-run.ts'
import { withoutSignIn } from './link-runs.ts'

const LASTS_MS = 60 * 60_000

interface RunWish {
  readonly applicationId: Id<'application'>
  readonly settings: RunSettings
  /** The connection to sign in to again; absent where one is to be made. */
  readonly connection?: Pick<Connection, 'id' | 'provider'>
}

/** Begins a link run, and gives the token of its pages, of which only the hash is stored. */
export async function beginLinkRun(
  { db, clock }: Pick<ConnectionWritesFrom, 'db' | 'clock'>,
  { applicationId, settings, connection }: RunWish,
): Promise<string> {
  const token = randomPart()
  const now = clock.now()
  const run: LinkRun = {
    id: newId('linkRun', now),
    applicationId,
    connectionId: connection?.id ?? null,
    isAgain: connection ? 1 : 0,
    tokenHash: hashOf(token),
    settings,
    status: 'open',
    provider: connection?.provider ?? settings.provider ?? null,
    signIn: null,
    ...withoutSignIn,
    problem: null,
    checkedSince: null,
    agreedAt: null,
    ipAddress: null,
    userAgent: null,
    createdAt: now,
    expiresAt: now + LASTS_MS,
  }
  await db.transaction((tx) => tx.insert(tableOf(LinkRun), [run]))
  return token
}
