import { describe, expect, test } from 'vitest'
import { newId } from '../../../src/domain/ids.ts'
import { tableOf } from '../../../src/storage/sql/table.ts'
import { WebhookEndpoint } from '../../../src/subgraphs/events/webhooks/webhook-endpoint.ts'
import { asRow } from '../../support/factories.ts'
import { stores } from '../../support/stores.ts'
import { SyncHarness } from '../../support/sync/sync-harness.ts'

const TYPE = 'vehicle.location_updated'

const setOption = (harness: SyncHarness) =>
  harness.db.transaction((tx) =>
    tx.run('UPDATE `connections` SET `options` = ?', [JSON.stringify({ locationEvents: true })]),
  )

const plantEndpoint = async (harness: SyncHarness, values: Partial<WebhookEndpoint>) => {
  const [application] = await harness.db.rows<{ id: string }>('SELECT `id` FROM `applications`')
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
  await harness.db.transaction((tx) => tx.insert(tableOf(WebhookEndpoint), [row]))
}

describe.each(stores)('newer positions on %s', (store) => {
  test.each([
    ['nobody has asked', async () => {}, false],
    ['the connection has the option', setOption, true],
    [
      'an endpoint names them',
      (harness: SyncHarness) => plantEndpoint(harness, { types: ['*', TYPE] }),
      true,
    ],
    [
      'an endpoint takes all that need not be named',
      (harness: SyncHarness) => plantEndpoint(harness, { types: ['*'] }),
      false,
    ],
    ['the endpoint is disabled', (harness: SyncHarness) => plantEndpoint(harness, { disabledAt: 1 }), false],
    [
      'the endpoint is of another application',
      (harness: SyncHarness) => plantEndpoint(harness, { applicationId: newId('application') }),
      false,
    ],
  ])('are events where they are wanted: %s', async (_, prepare, wanted) => {
    await using harness = await SyncHarness.start(store)
    await prepare(harness)
    await harness.poll()
    const known = await harness.count('latest_vehicle_locations')
    expect(known).toBeGreaterThan(0)
    expect((await harness.events())[TYPE] ?? 0).toBe(wanted ? known : 0)
    // What says nothing newer is no event.
    await harness.db.transaction((tx) =>
      tx.run('UPDATE `latest_vehicle_locations` SET `locatedAt` = ?', [Date.now() + 3_600_000]),
    )
    await harness.poll()
    expect((await harness.events())[TYPE] ?? 0).toBe(wanted ? known : 0)
  })
})
