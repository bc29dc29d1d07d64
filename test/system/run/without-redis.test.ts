import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { makeHome, ServiceProcess } from '../../prove/support/service-process.ts'
import { TemporaryRedis } from '../../support/queue/temporary-redis.ts'
import { stores } from '../../support/database/stores.ts'

test.skipIf(!stores.includes('mariadb'))(
  'a service that starts without Redis responds, and syncs once Redis is available',
  async () => {
    const home = await makeHome('mariadb')
    await using redis = await TemporaryRedis.start()
    await redis.kill()
    try {
      await using service = await ServiceProcess.start(home, ['--fleet-size', '2'], { REDIS_URL: redis.url })
      const lastSyncStatus = async () => {
        const { connection } = await service.graphql<{ connection: { lastSync: { status: string } | null } }>(
          '{ connection { lastSync { status } } }',
        )
        return connection.lastSync?.status
      }
      expect(await lastSyncStatus()).not.toBe('COMPLETED')
      await redis.start()
      while ((await lastSyncStatus()) !== 'COMPLETED') await wait(200)
    } finally {
      await home.remove()
    }
  },
)
