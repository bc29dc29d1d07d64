import { keyHolder } from '../../../src/auth/caller.ts'
import type { Id } from '../../../src/domain/ids.ts'
import type { Database } from '../../../src/storage/database.ts'
import {
  createEndpoint,
  type NewEndpointInput,
} from '../../../src/subgraphs/events/webhooks/endpoints/create-endpoint.ts'
import { rotateSecret } from '../../../src/subgraphs/events/webhooks/endpoints/rotate-secret.ts'
import { systemClock } from '../../../src/domain/time.ts'
import { masterEncryption } from '../../support/factories.ts'

/** Local receivers, without TLS. */
export const LOOPBACK = '127.0.0.0/8'

export interface NewEndpoint {
  readonly endpointId: string
  readonly secret: string
}

/** Creates an endpoint as the API does, with the factories' encryption key. Workers find it by polling. */
export async function makeEndpoint(
  db: Database,
  applicationId: Id<'application'>,
  input: NewEndpointInput,
): Promise<NewEndpoint> {
  const { endpoint, secret } = await createEndpoint(writesFrom(db), keyHolder(applicationId), input)
  return { endpointId: endpoint.id, secret }
}

/** Rotates the secret of an endpoint as the API does. Returns the new one. */
export async function rotateEndpoint(
  db: Database,
  applicationId: Id<'application'>,
  endpointId: string,
  overlapSeconds: number,
): Promise<string> {
  const rotation = { endpointId, overlapSeconds }
  return (await rotateSecret(writesFrom(db), keyHolder(applicationId), rotation)).secret
}

const writesFrom = (db: Database) => ({
  db,
  secrets: masterEncryption,
  notifier: { notify: () => undefined },
  clock: systemClock,
  outgoingRules: { allowPrivate: [LOOPBACK], requireHttps: true, permittedBy: 'WEBHOOK_ALLOW' },
})
