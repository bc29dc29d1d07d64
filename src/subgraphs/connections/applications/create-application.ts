import type { Environment } from '../../../auth/keys.ts'
import { newId } from '../../../domain/ids.ts'
import type { Database } from '../../../storage/database.ts'
import { tableOf } from '../../../storage/sql/table.ts'
import type { Instant } from '../../../domain/time.ts'
import { type Actor, operatorActor, recordAudit } from '../../tables/audit-log.ts'
import { ApiKey, Application } from './application.ts'
import { newKey } from './keys/new-key.ts'

export interface NewApplication {
  readonly application: Application
  /** Secret key. It is returned only here, because only its hash is stored. */
  readonly secretKey: string
  readonly publishableKey: string
}

interface ApplicationInput {
  readonly name: string
  readonly environment: Environment
  readonly now: Instant
  /** Defaults to an operator. */
  readonly actor?: Actor
}

/** Creates an application with a secret and a publishable key. */
export async function createApplication(
  db: Pick<Database, 'transaction'>,
  { name, environment, now, actor = operatorActor }: ApplicationInput,
): Promise<NewApplication> {
  const application: Application = {
    id: newId('application', now),
    name,
    environment,
    createdAt: now,
    linkOrigins: null,
    agreementUrl: null,
    mergesConnections: null,
    allowsSandbox: null,
    documentMode: null,
    pointsPerMinute: null,
    quotas: null,
  }
  const secret = newKey(application, { use: 'secret' }, now)
  const publishable = newKey(application, { use: 'publishable' }, now)
  const keys = [secret.key, publishable.key]
  await db.transaction(async (tx) => {
    await tx.insert(tableOf(Application), [application])
    await tx.insert(tableOf(ApiKey), keys)
    await recordAudit(
      tx,
      { applicationId: application.id, actor, at: now },
      {
        action: 'application.created',
        targetId: application.id,
        detail: { environment, keys: keys.map(({ id }) => id) },
      },
    )
  })
  return { application, secretKey: secret.value, publishableKey: publishable.value }
}
