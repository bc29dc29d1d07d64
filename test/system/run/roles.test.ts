import { createClient } from 'graphql-ws'
import { expect, test } from 'vitest'
import WebSocket from 'ws'
import { startSimulator } from '../../../src/providers/sandbox/simulator/server.ts'
import { makeHome, ServiceProcess } from '../../prove/support/service-process.ts'
import { stores } from '../../support/database/stores.ts'

test.skipIf(!stores.includes('mariadb'))(
  'a gateway serves data live that a worker in another process syncs',
  async () => {
    const home = await makeHome('mariadb')
    const simulator = await startSimulator({ fleetSize: 40 })
    const shared = {
      ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
      SANDBOX_URL: `http://127.0.0.1:${simulator.port}`,
      LOCATION_POLL_SECONDS: '1',
    }
    const gateway = ServiceProcess.spawn(home, ['--role', 'gateway', '--fleet-size', '40'], shared)
    const parts = [gateway]
    try {
      const { wsUrl, secretKey, connectionToken } = await gateway.becomesReady()
      const client = createClient({
        url: wsUrl,
        webSocketImpl: WebSocket,
        connectionParams: { authorization: `Bearer ${secretKey}`, connectionToken },
      })
      const connected = new Promise((resolve) => client.on('connected', resolve))
      const events = client.iterate<{ events: { type: string } }>({
        query: 'subscription { events { type } }',
      })
      await connected
      const worker = ServiceProcess.spawn(home, ['--role', 'worker'], { ...shared, DEMO: 'off' })
      parts.push(worker)
      const types: string[] = []
      for await (const { data } of events) {
        types.push(String(data?.events.type))
        if (data?.events.type === 'sync.completed') break
      }
      expect(types.filter((type) => type === 'vehicle.added')).toHaveLength(40)
      await client.dispose()
    } finally {
      for (const part of parts) await part.end('SIGTERM')
      await simulator.close()
      await home.remove()
    }
  },
)
