import { Redis } from 'ioredis'
import { expect, test } from 'vitest'
import { bullmqQueue } from '../../../src/queue/bullmq/bullmq-queue.ts'
import { startWorker } from '../../../src/sync/worker.ts'
import { TemporaryRedis } from '../../support/queue/temporary-redis.ts'
import { withRedis } from '../../support/queue/queue-harness.ts'
import { eventually, SyncHarness } from '../../support/sync/sync-harness.ts'

const HOUR = 3_600_000
const cadence = { pollMs: 1000, syncMs: HOUR }

test.skipIf(!withRedis)(
  'a Redis that loses its data loses no sync, no poll, no deletion and no later schedule',
  async () => {
    await using redis = await TemporaryRedis.start()
    await using harness = await SyncHarness.start('mariadb')
    const queue = bullmqQueue({ redisUrl: redis.url, prefix: 'emptied', onError: () => undefined })
    const begun = Date.now()
    // The clock of the harness stands still.
    const clock = { now: () => harness.tools.clock.now() + Date.now() - begun }
    const worker = await startWorker({ ...harness.tools, queue, clock }, cadence)
    const done = () => harness.count("`syncs` WHERE `status` = 'completed'")
    await eventually(
      async () => (await done()) === 1 && (await harness.count('`latest_vehicle_locations`')) > 0,
    )

    const admin = new Redis(redis.url)
    await harness.control('faults', { path: '/vehicles', stallMs: 1500, count: 1 })
    const requested = await harness.request()
    await admin.flushall()
    await harness.db.transaction((tx) => tx.run('DELETE FROM `latest_vehicle_locations`'))
    await eventually(
      async () => (await done()) === 2 && (await harness.count('`latest_vehicle_locations`')) > 0,
    )
    expect(await harness.events()).toMatchObject({
      'sync.started': 2,
      'sync.completed': 2,
      'vehicle.added': 12,
    })
    expect(await harness.count(`\`syncs\` WHERE \`id\` = '${requested.id}' AND \`attempts\` = 1`)).toBe(1)

    await admin.flushall()
    harness.moveClock(HOUR)
    await eventually(async () => (await done()) === 3)

    await harness.db.transaction((tx) =>
      tx.run("UPDATE `connections` SET `status` = 'pending_deletion', `deletionRequestedAt` = 0"),
    )
    await admin.flushall()
    await eventually(async () => (await harness.count("`connections` WHERE `status` = 'deleted'")) === 1)
    expect(await harness.count('`vehicles`')).toBe(0)
    admin.disconnect()
    await worker.close()
  },
)
