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
      const { url, wsUrl, secretKey, connectionToken } = await gateway.becomesReady()
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
      // The filters of the demo hide inactive vehicles, and those have no events.
      const response = await fetch(`${url}/graphql`, {
        method: 'POST',
        headers: { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ query: '{ vehicles { totalCount } }' }),
      })
      const { data } = (await response.json()) as { data: { vehicles: { totalCount: number } } }
      const visible = data.vehicles.totalCount
      expect(types.filter((type) => type === 'vehicle.added')).toHaveLength(visible)
      expect(visible).toBeGreaterThan(30)
      await client.dispose()
    } finally {
      for (const part of parts) await part.end('SIGTERM')
      await simulator.close()
      await home.remove()
    }
  },
)
