import type { Environment } from '../../../auth/keys.ts'
import { newId } from '../../../ids.ts'
import type { Database } from '../../../storage/database.ts'
import { tableOf } from '../../../storage/table.ts'
import type { Instant } from '../../../time.ts'
import { ApiKey, Application } from './application.ts'
import { newKey } from './create-key.ts'

export interface NewApplication {
  readonly application: Application
  /** Shown this once: only its hash is stored. */
  readonly secretKey: string
  readonly publishableKey: string
}

/** Makes an application with its first pair of keys. */
export async function createApplication(
  db: Pick<Database, 'transaction'>,
  { name, environment, now }: { name: string; environment: Environment; now: Instant },
): Promise<NewApplication> {
  const application: Application = { id: newId('application', now), name, environment, createdAt: now }
  const secret = newKey(application, 'secret', now)
  const publishable = newKey(application, 'publishable', now)
  await db.transaction(async (tx) => {
    await tx.insert(tableOf(Application), [application])
    await tx.insert(tableOf(ApiKey), [secret.row, publishable.row])
  })
  return { application, secretKey: secret.key, publishableKey: publishable.key }
}
