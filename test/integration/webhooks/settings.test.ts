import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { keyHolder } from '../../../src/auth/caller.ts'
import type { Database } from '../../../src/storage/database.ts'
import { tableOf } from '../../../src/storage/sql/table.ts'
import {
  type ConnectionChange,
  updateConnection,
} from '../../../src/subgraphs/connections/update-connection.ts'
import { Connection } from '../../../src/subgraphs/connections/connection.ts'
import { recoverEndpoint } from '../../../src/subgraphs/events/webhooks/deliveries/recover-endpoint.ts'
import { replayDelivery } from '../../../src/subgraphs/events/webhooks/deliveries/replay-delivery.ts'
import { disableEndpoint } from '../../../src/subgraphs/events/webhooks/endpoints/disable-endpoint.ts'
import { enableEndpoint } from '../../../src/subgraphs/events/webhooks/endpoints/enable-endpoint.ts'
import {
  type EndpointChange,
  updateEndpoint,
} from '../../../src/subgraphs/events/webhooks/endpoints/update-endpoint.ts'
import type { WebhookEndpoint } from '../../../src/subgraphs/events/webhooks/webhook-endpoint.ts'
import { stores } from '../../support/database/stores.ts'
import { connectionRow } from '../../support/factories.ts'
import { eventually } from '../../support/sync/sync-harness.ts'
import { DeliveryHarness } from '../../support/webhooks/delivery-harness.ts'
import { WebhookInbox } from '../../support/webhooks/webhook-inbox.ts'

const ROUNDS = 4
/** Longer than the interval at which a worker refreshes its settings. */
const REFRESH_MS = 800

type Settings = Partial<WebhookEndpoint>

/** An endpoint, a worker that receives notifications of the log only, and commands whose notifications are lost. */
async function start(store: (typeof stores)[number], settings: Settings) {
  const harness = await DeliveryHarness.start(store)
  const inbox = await WebhookInbox.start()
  const { id: endpointId } = await harness.endpoint(inbox.url, settings)
  const other = connectionRow(harness.applicationId, 'con_tkn_other')
  await harness.db.transaction((tx) => tx.insert(tableOf(Connection), [other]))
  harness.startWorker()
  const { silentDeps, connectionId } = harness
  const caller = keyHolder(harness.applicationId)
  return {
    harness,
    inbox,
    otherConnectionId: other.id,
    updateEndpoint: (change: Omit<EndpointChange, 'endpointId'>) =>
      updateEndpoint(silentDeps, caller, { endpointId, ...change }),
    updateConnection: (change: ConnectionChange) =>
      updateConnection(silentDeps, caller, { connectionId, ...change }),
    disable: () => disableEndpoint(silentDeps, caller, { endpointId }),
    enable: () => enableEndpoint(silentDeps, caller, { endpointId }),
    replay: (deliveryId: string) => replayDelivery(silentDeps, caller, { deliveryId }),
    recover: (since: number) => recoverEndpoint(silentDeps, caller, { endpointId, since }),
    async [Symbol.asyncDispose]() {
      await harness[Symbol.asyncDispose]()
      await inbox[Symbol.asyncDispose]()
    },
  }
}

type Started = Awaited<ReturnType<typeof start>>

/** A change of settings, and the settings that it replaces. */
interface Case {
  readonly name: string
  readonly settings: Settings
  before(started: Started): Promise<unknown>
  change(started: Started): Promise<unknown>
}

const widened: readonly Case[] = [
  {
    name: 'a tag of the connection is added',
    settings: { types: ['vehicle.modified'], tags: ['south'] },
    before: ({ updateConnection: update }) => update({ tags: [] }),
    change: ({ updateConnection: update }) => update({ tags: ['south'] }),
  },
  {
    name: 'tags of the endpoint are removed',
    settings: { types: ['vehicle.modified'], tags: ['south'] },
    before: ({ updateEndpoint: update }) => update({ tags: ['south'] }),
    change: ({ updateEndpoint: update }) => update({ tags: null }),
  },
  {
    name: 'a type is added',
    settings: { types: ['vehicle.added'] },
    before: ({ updateEndpoint: update }) => update({ types: ['vehicle.added'] }),
    change: ({ updateEndpoint: update }) => update({ types: ['vehicle.added', 'vehicle.modified'] }),
  },
  {
    name: 'connections are added',
    settings: { types: ['vehicle.modified'] },
    before: ({ updateEndpoint: update, otherConnectionId }) => update({ connectionIds: [otherConnectionId] }),
    change: ({ updateEndpoint: update, harness }) => update({ connectionIds: [harness.connectionId] }),
  },
]

const narrowed: readonly Case[] = [
  {
    name: 'a tag of the connection is removed',
    settings: { types: ['vehicle.modified'], tags: ['north'] },
    before: ({ updateConnection: update }) => update({ tags: ['north'] }),
    change: ({ updateConnection: update }) => update({ tags: [] }),
  },
  {
    name: 'tags of the endpoint are replaced',
    settings: { types: ['vehicle.modified'] },
    before: ({ updateEndpoint: update }) => update({ tags: null }),
    change: ({ updateEndpoint: update }) => update({ tags: ['south'] }),
  },
  {
    name: 'a type is removed',
    settings: { types: ['vehicle.modified'] },
    before: ({ updateEndpoint: update }) => update({ types: ['vehicle.added', 'vehicle.modified'] }),
    change: ({ updateEndpoint: update }) => update({ types: ['vehicle.added'] }),
  },
  {
    name: 'connections are removed',
    settings: { types: ['vehicle.modified'] },
    before: ({ updateEndpoint: update }) => update({ connectionIds: null }),
    change: ({ updateEndpoint: update, otherConnectionId }) => update({ connectionIds: [otherConnectionId] }),
  },
]

/** Returns how many of the events that each followed an acknowledged change were received. */
async function receivedAfter({ settings, before, change }: Case, store: (typeof stores)[number]) {
  await using started = await start(store, settings)
  const { harness, inbox } = started
  let received = 0
  for (let round = 0; round < ROUNDS; round++) {
    await before(started)
    await wait(REFRESH_MS)
    // The worker leases the endpoint and knows its settings.
    await harness.log(1)
    await wait(100)
    await change(started)
    await harness.log(1)
    await harness.reachedEnd()
    const last = (await harness.logged()).at(-1) as string
    if (inbox.received.some(({ id }) => id === last)) received++
  }
  return received
}

describe.each(stores)('settings of which a worker gets no notification, on %s', (store) => {
  test.each(widened)('decide on the next event: $name', async (change) => {
    expect(await receivedAfter(change, store)).toBe(ROUNDS)
  })

  test.each(narrowed)('decide on the next event: $name', async (change) => {
    expect(await receivedAfter(change, store)).toBe(0)
  })

  test('decide on the next event: the endpoint is disabled and enabled', async () => {
    await using started = await start(store, { types: ['vehicle.modified'] })
    const { harness, inbox, disable, enable } = started
    for (let round = 0; round < ROUNDS; round++) {
      await harness.log(1)
      await inbox.arrived(2 * round + 1)
      await disable()
      await harness.log(1)
      await wait(REFRESH_MS)
      expect(inbox.firstReceipts).toHaveLength(2 * round + 1)
      await enable()
      await inbox.arrived(2 * round + 2)
    }
  })

  test('decide on the next event even if a refresh of earlier settings is under way', async () => {
    await using started = await start(store, { types: ['vehicle.added'] })
    const { harness, inbox } = started
    const delay = await delayWorker(harness)
    await harness.log(1, { type: 'vehicle.added' })
    await inbox.arrived(1)
    delay.begin()
    await eventually(() => Promise.resolve(delay.waiting > 0))
    await started.updateEndpoint({ types: ['vehicle.added', 'vehicle.modified'] })
    harness.tools.notifier.notify('webhooks')
    await harness.log(1)
    await wait(REFRESH_MS)
    delay.end()
    await harness.reachedEnd()
    expect(inbox.firstReceipts).toHaveLength(2)
  })

  test('decide on a replay that follows', async () => {
    await using started = await start(store, { types: ['vehicle.modified'] })
    const { harness, inbox } = started
    await harness.log(1)
    await inbox.arrived(1)
    await eventually(async () => (await harness.statuses())['delivered'] === 1)
    const [delivery] = await harness.deliveries()
    await started.updateEndpoint({ tags: ['south'] })
    const delay = await delayWorker(harness)
    await harness.log(1)
    await wait(100)
    delay.begin()
    await eventually(() => Promise.resolve(delay.waiting > 0))
    await started.updateEndpoint({ tags: null })
    await started.replay(delivery!.id)
    delay.end()
    await eventually(async () => (await harness.statuses())['pending'] === undefined)
    expect(inbox.received.filter(({ id }) => id === delivery!.eventId)).toHaveLength(2)
  })

  test.each([
    {
      name: 'tags of the endpoint',
      change: ({ updateEndpoint: update }: Started) => update({ tags: null }),
    },
    {
      name: 'tags of the connection',
      change: ({ updateConnection: update }: Started) => update({ tags: ['south'] }),
    },
  ])('decide on a recovery that follows: $name', async ({ change }) => {
    await using started = await start(store, { types: ['vehicle.modified'], tags: ['south'] })
    const { harness, inbox } = started
    const since = Date.now()
    const delay = await delayWorker(harness)
    await harness.log(5)
    const events = await harness.logged()
    await harness.reachedEnd()
    await harness.log(1)
    await wait(100)
    delay.begin()
    await eventually(() => Promise.resolve(delay.waiting > 0))
    await change(started)
    expect((await started.recover(since)).events).toBeGreaterThanOrEqual(5)
    delay.end()
    await eventually(async () => (await harness.statuses())['pending'] === undefined)
    expect(await harness.statuses()).not.toHaveProperty('cancelled')
    expect(inbox.firstReceipts).toEqual(expect.arrayContaining(events))
  })
})

/** Replaces the worker by one whose refresh can be delayed: it then uses settings from before the delay. */
async function delayWorker(harness: DeliveryHarness) {
  await Promise.all(harness.workers.splice(0).map((worker) => worker.close()))
  const delay = delayedRefresh(harness.tools.db)
  harness.startWorker({ db: delay.db })
  return delay
}

function delayedRefresh(db: Database) {
  let release = () => {}
  let until: Promise<void> | null = null
  const delay = {
    waiting: 0,
    db: {
      ...db,
      async rows<T>(sql: string, parameters?: readonly unknown[]): Promise<T[]> {
        if (until && sql.startsWith('SELECT DISTINCT `endpointId` FROM `webhook_deliveries`')) await until
        const rows = await db.rows<T>(sql, parameters)
        if (!until || !sql.includes('FROM `webhook_endpoints` WHERE `id` IN')) return rows
        delay.waiting++
        await until
        return rows
      },
    },
    begin: () => void (until = new Promise((resolve) => (release = resolve))),
    end() {
      until = null
      release()
    },
  }
  return delay
}

describe.each(stores)('the check of the settings, on %s', (store) => {
  /** Returns the statements of a sender while it handles the events of one transaction. */
  async function statementsFor(type: string, count: number): Promise<readonly string[]> {
    await using started = await start(store, { types: ['vehicle.modified'] })
    const { harness } = started
    await harness.log(1)
    await harness.reachedEnd()
    const statements: string[] = []
    const stop = harness.db.onStatement((sql) => statements.push(sql))
    await harness.log(count, { type })
    await harness.reachedEnd()
    stop()
    return statements
  }

  const counted = (statements: readonly string[], text: string) =>
    statements.filter((sql) => sql.includes(text)).length

  test('is the read of the end of the log: events that nobody wants cost nothing more', async () => {
    const statements = await statementsFor('vehicle.added', 50)
    expect(counted(statements, 'AS logEnd')).toBe(2)
    expect(counted(statements, 'FROM `events` WHERE `applicationId`')).toBe(1)
    expect(counted(statements, 'FROM `webhook_endpoints` WHERE `id` = ?')).toBe(3)
  })

  test('costs a window one statement for all its connections', async () => {
    const begun = performance.now()
    const statements = await statementsFor('vehicle.modified', 200)
    const refreshes = (performance.now() - begun) / 600 + 1
    expect(counted(statements, 'FROM `events` WHERE `applicationId`')).toBe(1)
    expect(counted(statements, '`status`, `tags` FROM `connections`')).toBeLessThan(2 + refreshes)
  })
})
