import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../src/ids.ts'
import { ProviderError } from '../../src/providers/api.ts'
import { tableOf } from '../../src/storage/table.ts'
import { refuseInTurn, takeTurn } from '../../src/subgraphs/connections/credentials/renewal-lease.ts'
import { signInOf } from '../../src/subgraphs/connections/credentials/stored-credentials.ts'
import { WebhookDelivery } from '../../src/subgraphs/events/webhooks/webhook-delivery.ts'
import type { DisabledReason } from '../../src/subgraphs/events/webhooks/webhook-endpoint.ts'
import { disconnectRefused } from '../../src/intake/disconnect-refused.ts'
import { deleteDueConnections } from '../../src/sync/removal/delete-data.ts'
import type { SyncRun } from '../../src/sync/run.ts'
import { disableEndpoint } from '../../src/webhooks/delivery/disable-endpoint.ts'
import { ConnectionsRig } from '../connections/rig.ts'
import { DAY, dialects } from '../factories.ts'
import { Stage } from './stage.ts'

const TIMES = 20
const times = <Made>(make: (at: number) => Promise<Made>): Promise<Made[]> =>
  Promise.all(Array.from({ length: TIMES }, (_, at) => make(at)))

const service = { actorKind: 'service', actorId: null }

describe.each(dialects)('what the service does by itself is remembered once on %s:', (dialect) => {
  let rig: ConnectionsRig
  beforeAll(async () => void (rig = await ConnectionsRig.start(dialect)))
  afterAll(() => rig[Symbol.asyncDispose]())

  /** An application, and what is remembered of it after this. */
  async function staged() {
    const stage = await Stage.set(rig)
    const before = (await stage.entries()).length
    return { stage, entries: async () => (await stage.entries()).slice(before) }
  }

  test('a connection whose credentials are refused is disconnected, whoever finds it first', async () => {
    const { stage, entries } = await staged()
    const { id, applicationId, apiKey } = stage.linked
    const run = {
      connection: { id, applicationId },
      providerName: 'Sandbox',
      clock: rig.tools.clock,
      signedInWith: await signInOf(rig.db, id),
    } as SyncRun
    const account = { id, applicationId, provider: 'sandbox' }
    const used = { apiKey }
    const renew = async () => {
      const found = await takeTurn(rig.tools, account, used)
      if (!found || !('turn' in found)) return
      const refusal = new ProviderError('revoked', 'it was withdrawn')
      await refuseInTurn(rig.tools, account, found.turn, refusal).catch((error: unknown) => {
        if (error !== refusal) throw error
      })
    }
    await times((at) => (at % 2 ? renew() : rig.db.transaction((tx) => disconnectRefused(tx, run))))
    expect(await entries()).toMatchObject([
      {
        ...service,
        action: 'connection.disconnected',
        targetId: id,
        detail: { from: 'connected', to: 'disconnected' },
      },
    ])
  })

  test('the data of a connection are deleted, from when there is no way back', async () => {
    const { stage, entries } = await staged()
    const targetId = stage.connectionId
    await stage.done('deleteConnection', { connectionId: targetId }, 'message')
    await deleteDueConnections(rig.tools)
    expect(await entries()).toMatchObject([{ action: 'connection.deletion_requested', actorKind: 'key' }])
    rig.moveClock(DAY)
    await times(() => deleteDueConnections(rig.tools))
    expect((await entries()).slice(1)).toMatchObject([
      { ...service, action: 'connection.deletion_begun', targetId, detail: { to: 'deleting' } },
      { ...service, action: 'connection.deleted', targetId, detail: { from: 'deleting', to: 'deleted' } },
    ])
  })

  test.each(['gone', 'failing'] satisfies DisabledReason[])('an endpoint that is %s', async (reason) => {
    const { stage, entries } = await staged()
    const endpointId = await stage.endpoint()
    const at = rig.tools.clock.now()
    const disabling = { endpointId, reason, failingSince: at - 5 * DAY, at }
    const disable = () => rig.db.transaction((tx) => disableEndpoint(tx, disabling))
    if (reason === 'failing') {
      expect(await disable()).toBe(false)
      expect(await entries()).toHaveLength(1)
      await rig.db.transaction((tx) => tx.insert(tableOf(WebhookDelivery), failed(stage, endpointId, at)))
    }
    const disabled = await times(disable)
    expect(disabled.filter(Boolean)).toHaveLength(1)
    expect((await entries()).slice(1)).toMatchObject([
      { ...service, action: 'webhook_endpoint.disabled', targetId: endpointId, detail: { reason } },
    ])
  })
})

/** Ten messages that have not arrived, the first of them two days before the last. */
const failed = ({ linked }: Stage, endpointId: string, at: number): WebhookDelivery[] =>
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
    lastStatusCode: 500,
    body: null,
    createdAt: at - 2 * DAY,
  }))
