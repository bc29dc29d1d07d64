import { describe, expect, test } from 'vitest'
import { newId } from '../../src/ids.ts'
import { tableOf } from '../../src/storage/table.ts'
import { WebhookEndpoint } from '../../src/subgraphs/events/webhooks/webhook-endpoint.ts'
import { asRow } from '../factories.ts'
import { stores } from '../stores.ts'
import { SyncRig } from '../sync/rig.ts'

const TYPE = 'vehicle.location_updated'

const setOption = (rig: SyncRig) =>
  rig.db.transaction((tx) =>
    tx.run('UPDATE `connections` SET `options` = ?', [JSON.stringify({ locationEvents: true })]),
  )

const plantEndpoint = async (rig: SyncRig, values: Partial<WebhookEndpoint>) => {
  const [application] = await rig.db.rows<{ id: string }>('SELECT `id` FROM `applications`')
  const row = asRow<WebhookEndpoint>({
    id: newId('webhookEndpoint'),
    applicationId: application!.id,
    url: 'https://receiver.example.com',
    types: [TYPE],
    ordering: 'none',
    concurrency: 1,
    createdAt: 0,
    modifiedAt: 0,
    ...values,
  })
  await rig.db.transaction((tx) => tx.insert(tableOf(WebhookEndpoint), [row]))
}

describe.each(stores)('newer positions on %s', (store) => {
  test.each([
    ['nobody has asked', async () => {}, false],
    ['the connection has the option', setOption, true],
    ['an endpoint names them', (rig: SyncRig) => plantEndpoint(rig, { types: ['*', TYPE] }), true],
    [
      'an endpoint takes all that need not be named',
      (rig: SyncRig) => plantEndpoint(rig, { types: ['*'] }),
      false,
    ],
    ['the endpoint is disabled', (rig: SyncRig) => plantEndpoint(rig, { disabledAt: 1 }), false],
    [
      'the endpoint is of another application',
      (rig: SyncRig) => plantEndpoint(rig, { applicationId: newId('application') }),
      false,
    ],
  ])('are events where they are wanted: %s', async (_, prepare, wanted) => {
    await using rig = await SyncRig.start(store)
    await prepare(rig)
    await rig.poll()
    const known = await rig.count('latest_vehicle_locations')
    expect(known).toBeGreaterThan(0)
    expect((await rig.events())[TYPE] ?? 0).toBe(wanted ? known : 0)
    // What says nothing newer is no event.
    await rig.db.transaction((tx) =>
      tx.run('UPDATE `latest_vehicle_locations` SET `locatedAt` = ?', [Date.now() + 3_600_000]),
    )
    await rig.poll()
    expect((await rig.events())[TYPE] ?? 0).toBe(wanted ? known : 0)
  })
})
