import { describe, expect, test } from 'vitest'
import { newId } from '../../../src/domain/ids.ts'
import { tableOf } from '../../../src/storage/sql/table.ts'
import { WebhookEndpoint } from '../../../src/subgraphs/events/webhooks/webhook-endpoint.ts'
import { asRow } from '../../support/factories.ts'
import { stores } from '../../support/database/stores.ts'
import { SyncHarness } from '../../support/sync/sync-harness.ts'

const TYPE = 'vehicle.location_updated'

const setOption = (harness: SyncHarness) =>
  harness.db.transaction((tx) =>
    tx.run('UPDATE `connections` SET `options` = ?', [JSON.stringify({ locationEvents: true })]),
  )

const seedEndpoint = async (harness: SyncHarness, values: Partial<WebhookEndpoint>) => {
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

describe.each(stores)('newer locations on %s', (store) => {
  test.each([
    ['by default', async () => {}, false],
    ['with the option of the connection', setOption, true],
    [
      'with an endpoint that names the type',
      (harness: SyncHarness) => seedEndpoint(harness, { types: ['*', TYPE] }),
      true,
    ],
    [
      'with an endpoint that has only the * type',
      (harness: SyncHarness) => seedEndpoint(harness, { types: ['*'] }),
      false,
    ],
    ['with a disabled endpoint', (harness: SyncHarness) => seedEndpoint(harness, { disabledAt: 1 }), false],
    [
      'with an endpoint of another application',
      (harness: SyncHarness) => seedEndpoint(harness, { applicationId: newId('application') }),
      false,
    ],
  ])('are events only if requested: %s', async (_, prepare, isRequested) => {
    await using harness = await SyncHarness.start(store)
    await prepare(harness)
    await harness.poll()
    const known = await harness.count('latest_vehicle_locations')
    expect(known).toBeGreaterThan(0)
    expect((await harness.events())[TYPE] ?? 0).toBe(isRequested ? known : 0)
    // A location that is not newer is no event.
    await harness.db.transaction((tx) =>
      tx.run('UPDATE `latest_vehicle_locations` SET `locatedAt` = ?', [Date.now() + 60_000]),
    )
    await harness.poll()
    expect((await harness.events())[TYPE] ?? 0).toBe(isRequested ? known : 0)
  })

  test('replace a location that is eight hours ahead of the clock', async () => {
    await using harness = await SyncHarness.start(store)
    await harness.poll()
    const known = await harness.count('latest_vehicle_locations')
    const ahead = Date.now() + 8 * 3_600_000
    await harness.db.transaction((tx) =>
      tx.run('UPDATE `latest_vehicle_locations` SET `locatedAt` = ?', [ahead]),
    )
    await harness.poll()
    expect(known).toBeGreaterThan(0)
    expect(
      await harness.count(`latest_vehicle_locations WHERE \`locatedAt\` < ${ahead - 7 * 3_600_000}`),
    ).toBe(known)
  })
})
