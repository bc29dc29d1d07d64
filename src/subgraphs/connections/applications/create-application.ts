import { type Environment, hashOf, newPublishableKey, newSecretKey } from '../../../auth/keys.ts'
import { newId } from '../../../ids.ts'
import type { Database } from '../../../storage/database.ts'
import { tableOf } from '../../../storage/table.ts'
import type { Instant } from '../../../time.ts'
import { ApiKey, Application } from './application.ts'

export interface NewApplication {
  readonly application: Application
  /** Shown this once: only their hashes are stored. */
  readonly secretKey: string
  readonly publishableKey: string
}

/** Makes an application with its first pair of keys. */
export async function createApplication(
  db: Database,
  { name, environment, now }: { name: string; environment: Environment; now: Instant },
): Promise<NewApplication> {
  const application: Application = { id: newId('application', now), name, environment, createdAt: now }
  const secretKey = newSecretKey(environment)
  const publishableKey = newPublishableKey(environment)
  const keyRow = (use: ApiKey['use'], key: string): ApiKey => ({
    id: newId('key', now),
    applicationId: application.id,
    use,
    hash: hashOf(key),
    hint: key.slice(-4),
    publishable: use === 'publishable' ? key : null,
    createdAt: now,
    revokedAt: null,
  })
  await db.transaction(async (tx) => {
    await tx.insert(tableOf(Application), [application])
    await tx.insert(tableOf(ApiKey), [keyRow('secret', secretKey), keyRow('publishable', publishableKey)])
  })
  return { application, secretKey, publishableKey }
}
