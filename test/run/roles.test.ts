import { createClient } from 'graphql-ws'
import { expect, test } from 'vitest'
import WebSocket from 'ws'
import { startSimulator } from '../../src/providers/sandbox/simulator/server.ts'
import { makeHome, ServiceProcess } from '../prove/service-process.ts'
import { stores } from '../stores.ts'

const QUERY =
  '{ vehicles(first: 5) { nodes { id name groups { name } latestLocation { speed driver { lastName } } trips(last: 2) { nodes { id distance vehicle { name } } } } } connection { id lastSync { id } } }'

test.skipIf(!stores.includes('mariadb'))(
  'a gateway over five subgraphs in processes of their own answers as one process does',
  { timeout: 120_000 },
  async () => {
    const home = await makeHome('mariadb')
    const shared = { ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64') }
    const parts: ServiceProcess[] = []
    try {
      const all = await ServiceProcess.start(home, ['--fleet-size', '10'], {
        ...shared,
        LOCATION_POLL_SECONDS: '3600',
      })
      parts.push(all)
      const names = ['connections', 'fleet', 'records', 'telemetry', 'events']
      const quiet = { ...shared, DEMO: 'off' }
      const subgraphs = await Promise.all(
        names.map(async (name) => {
          const part = ServiceProcess.spawn(home, ['--role', `subgraph:${name}`], quiet)
          parts.push(part)
          const { graphqlUrl } = await part.becomesReady()
          return `${name}=${graphqlUrl}`
        }),
      )
      const gateway = await ServiceProcess.start(home, ['--role', 'gateway'], {
        ...quiet,
        SUBGRAPH_URLS: subgraphs.join(','),
      })
      parts.push(gateway)
      const asked = async (url: string) => {
        const response = await fetch(url, {
          method: 'POST',
          headers: { ...all.headers(), 'content-type': 'application/json' },
          body: JSON.stringify({ query: QUERY }),
        })
        return response.json()
      }
      const fused = await asked(all.ready.graphqlUrl)
      expect(fused).toMatchObject({ data: { vehicles: { nodes: { length: 5 } } } })
      expect(await asked(gateway.ready.graphqlUrl)).toEqual(fused)
    } finally {
      for (const part of parts) await part.end('SIGTERM')
      await home.remove()
    }
  },
)

test.skipIf(!stores.includes('mariadb'))(
  'a gateway serves, live, what a worker in another process syncs',
  { timeout: 120_000 },
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
      const worker = ServiceProcess.spawn(home, ['--role', 'worker'], { ...shared, DEMO: 'off' })
      parts.push(worker)
      const client = createClient({
        url: wsUrl,
        webSocketImpl: WebSocket,
        connectionParams: { authorization: `Bearer ${secretKey}`, connectionToken },
      })
      const types: string[] = []
      for await (const { data } of client.iterate<{ events: { type: string } }>({
        query: 'subscription { events { type } }',
      })) {
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
