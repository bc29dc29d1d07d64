import { Redis } from 'ioredis'
import { expect, test } from 'vitest'
import { bullmqQueue } from '../../src/queue/bullmq.ts'
import { startWorker } from '../../src/sync/worker.ts'
import { OwnRedis } from '../queue/own-redis.ts'
import { withRedis } from '../queue/rig.ts'
import { eventually, SyncRig } from './rig.ts'

const HOUR = 3_600_000
const cadence = { pollMs: 1000, syncMs: HOUR }

test.skipIf(!withRedis)(
  'a Redis that is emptied under its workers loses no sync, no poll, no deletion and no later turn',
  async () => {
    await using redis = await OwnRedis.start()
    await using rig = await SyncRig.start('mariadb')
    const queue = bullmqQueue({ redisUrl: redis.url, prefix: 'emptied', onError: () => undefined })
    const begun = Date.now()
    // The rig's own clock stands still.
    const clock = { now: () => rig.tools.clock.now() + Date.now() - begun }
    const worker = await startWorker({ ...rig.tools, queue, clock }, cadence)
    const done = () => rig.count("`syncs` WHERE `status` = 'completed'")
    await eventually(async () => (await done()) === 1 && (await rig.count('`latest_vehicle_locations`')) > 0)

    const admin = new Redis(redis.url)
    await rig.control('faults', { path: '/vehicles', stallMs: 1500, count: 1 })
    const asked = await rig.request()
    await admin.flushall()
    await rig.db.transaction((tx) => tx.run('DELETE FROM `latest_vehicle_locations`'))
    await eventually(async () => (await done()) === 2 && (await rig.count('`latest_vehicle_locations`')) > 0)
    expect(await rig.events()).toMatchObject({ 'sync.started': 2, 'sync.completed': 2, 'vehicle.added': 12 })
    expect(await rig.count(`\`syncs\` WHERE \`id\` = '${asked.id}' AND \`attempts\` = 1`)).toBe(1)

    await admin.flushall()
    rig.moveClock(HOUR)
    await eventually(async () => (await done()) === 3)

    await rig.db.transaction((tx) =>
      tx.run("UPDATE `connections` SET `status` = 'pending_deletion', `deletionRequestedAt` = 0"),
    )
    await admin.flushall()
    await eventually(async () => (await rig.count("`connections` WHERE `status` = 'deleted'")) === 1)
    expect(await rig.count('`vehicles`')).toBe(0)
    admin.disconnect()
    await worker.close()
  },
)
