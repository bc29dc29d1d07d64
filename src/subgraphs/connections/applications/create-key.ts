import { hashOf, newPublishableKey, newSecretKey } from '../../../auth/keys.ts'
import { PublicError } from '../../../errors.ts'
import { newId } from '../../../ids.ts'
import type { Database } from '../../../storage/database.ts'
import { tableOf } from '../../../storage/table.ts'
import type { Instant } from '../../../time.ts'
import { ApiKey, type Application } from './application.ts'

export interface NewKey {
  readonly row: ApiKey
  /** Shown this once: of a secret key only the hash is stored. */
  readonly key: string
}

/** Makes a further key of an application; the ones that it has stay good. */
export async function createKey(
  db: Pick<Database, 'rows' | 'transaction'>,
  { applicationId, use, now }: { applicationId: string; use: ApiKey['use']; now: Instant },
): Promise<NewKey> {
  const [application] = await db.rows<Pick<Application, 'id' | 'environment'>>(
    'SELECT `id`, `environment` FROM `applications` WHERE `id` = ?',
    [applicationId],
  )
  if (!application) throw new PublicError('not_found', `There is no application ${applicationId}.`)
  const made = newKey(application, use, now)
  await db.transaction((tx) => tx.insert(tableOf(ApiKey), [made.row]))
  return made
}

/** A key with the row that finds it again. Its environment is that of its application. */
export function newKey(
  { id: applicationId, environment }: Pick<Application, 'id' | 'environment'>,
  use: ApiKey['use'],
  now: Instant,
): NewKey {
  const key = use === 'secret' ? newSecretKey(environment) : newPublishableKey(environment)
  const row: ApiKey = {
    id: newId('key', now),
    applicationId,
    use,
    hash: hashOf(key),
    hint: key.slice(-4),
    publishable: use === 'publishable' ? key : null,
    createdAt: now,
    revokedAt: null,
  }
  return { row, key }
}
