import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../../src/domain/ids.ts'
import { ProviderError } from '../../../src/providers/provider-error.ts'
import { tableOf } from '../../../src/storage/sql/table.ts'
import {
  disconnectWithLease,
  takeRenewalLease,
} from '../../../src/subgraphs/connections/credentials/renewal-lease.ts'
import { credentialsVersion } from '../../../src/subgraphs/connections/credentials/stored-credentials.ts'
import { WebhookDelivery } from '../../../src/subgraphs/events/webhooks/webhook-delivery.ts'
import type { DisabledReason } from '../../../src/subgraphs/events/webhooks/webhook-endpoint.ts'
import { disconnectUnauthorized } from '../../../src/sync/ingest/disconnect-unauthorized.ts'
import { deleteDueConnectionData } from '../../../src/sync/retention/delete-connection-data.ts'
import type { SyncRun } from '../../../src/sync/sync-run.ts'
import { disableFailingEndpoint } from '../../../src/webhooks/results/disable-failing-endpoint.ts'
import { ConnectionsHarness } from '../../support/harnesses/connections-harness.ts'
import { DAY, dialects } from '../../support/factories.ts'
import { AuditHarness } from '../../support/audit/audit-harness.ts'

const TIMES = 20
const repeat = <Made>(make: (at: number) => Promise<Made>): Promise<Made[]> =>
  Promise.all(Array.from({ length: TIMES }, (_, at) => make(at)))

const service = { actorKind: 'service', actorId: null }

describe.each(dialects)('an action of the service itself adds one entry on %s:', (dialect) => {
  let harness: ConnectionsHarness
  beforeAll(async () => void (harness = await ConnectionsHarness.start(dialect)))
  afterAll(() => harness[Symbol.asyncDispose]())

  /** Returns a new application, and its audit entries from now on. */
  async function createStage() {
    const stage = await AuditHarness.set(harness)
    const before = (await stage.entries()).length
    return { stage, entries: async () => (await stage.entries()).slice(before) }
  }

  test('a connection with refused credentials is disconnected, by a renewal or by a sync', async () => {
    const { stage, entries } = await createStage()
    const { id, applicationId, apiKey } = stage.linked
    const run = {
      connection: { id, applicationId },
      providerName: 'Sandbox',
      clock: harness.tools.clock,
      usedCredentialsVersion: await credentialsVersion(harness.db, { id, applicationId }),
    } as SyncRun
    const account = { id, applicationId, provider: 'sandbox' }
    const used = { apiKey }
    const renew = async () => {
      const found = await takeRenewalLease(harness.tools, account, used)
      if (!found || !('lease' in found)) return
      const refusal = new ProviderError('invalid_credentials', 'it was withdrawn')
      await disconnectWithLease(harness.tools, account, found.lease, refusal).catch((error: unknown) => {
        if (error !== refusal) throw error
      })
    }
    await repeat((at) => (at % 2 ? renew() : harness.db.transaction((tx) => disconnectUnauthorized(tx, run))))
    expect(await entries()).toMatchObject([
      {
        ...service,
        action: 'connection.disconnected',
        targetId: id,
        detail: { from: 'connected', to: 'disconnected' },
      },
    ])
  })

  test('the deletion of the data of a connection starts and ends', async () => {
    const { stage, entries } = await createStage()
    const targetId = stage.connectionId
    await stage.done('deleteConnection', { connectionId: targetId }, 'message')
    await deleteDueConnectionData(harness.tools)
    expect(await entries()).toMatchObject([{ action: 'connection.deletion_requested', actorKind: 'key' }])
    harness.moveClock(DAY)
    await repeat(() => deleteDueConnectionData(harness.tools))
    expect((await entries()).slice(1)).toMatchObject([
      { ...service, action: 'connection.deletion_begun', targetId, detail: { to: 'deleting' } },
      { ...service, action: 'connection.deleted', targetId, detail: { from: 'deleting', to: 'deleted' } },
    ])
  })

  test.each(['gone', 'failing'] satisfies DisabledReason[])(
    'an endpoint is disabled as %s',
    async (reason) => {
      const { stage, entries } = await createStage()
      const endpointId = await stage.endpoint()
      const at = harness.tools.clock.now()
      const disabling = { endpointId, reason, failingSince: at - 5 * DAY, at }
      const disable = () => harness.db.transaction((tx) => disableFailingEndpoint(tx, disabling))
      if (reason === 'failing') {
        expect(await disable()).toBe(false)
        expect(await entries()).toHaveLength(1)
        await harness.db.transaction((tx) =>
          tx.insert(tableOf(WebhookDelivery), failedDeliveries(stage, endpointId, at)),
        )
      }
      const disabled = await repeat(disable)
      expect(disabled.filter(Boolean)).toHaveLength(1)
      expect((await entries()).slice(1)).toMatchObject([
        { ...service, action: 'webhook_endpoint.disabled', targetId: endpointId, detail: { reason } },
      ])
    },
  )
})

/** Returns ten failed deliveries that were created two days before their last attempt. */
const failedDeliveries = ({ linked }: AuditHarness, endpointId: string, at: number): WebhookDelivery[] =>
  Array.from({ length: 10 }, (_, position) => ({
    id: newId('webhookDelivery'),
    applicationId: linked.applicationId,
    connectionId: null,
    endpointId,
    eventId: newId('event'),
    position,
    resourceId: null,
    type: 'vehicle.modified',
    status: 'failed',
    attempts: 8,
    nextAttemptAt: null,
    lastAttemptAt: at,
    replays: 0,
    lastStatusCode: 500,
    body: null,
    createdAt: at - 2 * DAY,
  }))
