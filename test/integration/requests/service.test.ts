import { randomUUID } from 'node:crypto'
import { createClient } from 'graphql-ws'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import WebSocket from 'ws'
import type { LoggedRequest } from '../../../src/subgraphs/connections/requests/logged-request.ts'
import { stores } from '../../support/database/stores.ts'
import { type Home, makeHome, ServiceProcess } from '../../prove/support/service-process.ts'

describe.each(stores)('the request log of a service on %s', (store) => {
  let home: Home

  beforeEach(async () => void (home = await makeHome(store)))
  afterEach(() => home.remove())

  const start = (environment = {}) =>
    ServiceProcess.start(home, ['--fleet-size', '2'], { LOCATION_POLL_SECONDS: '3600', ...environment })

  const get = (service: ServiceProcess, requestId: string) =>
    fetch(`${service.ready.restUrl}/vehicles?limit=1`, {
      headers: { ...service.headers(), 'x-request-id': requestId },
    })

  async function logged(): Promise<LoggedRequest[]> {
    const db = await home.open()
    const rows = await db.rows<LoggedRequest>('SELECT * FROM `request_log` ORDER BY `id`')
    await db.close()
    return rows
  }

  test('has the last requests before a stop, and the subscription that the stop ends', async () => {
    await using service = await start()
    const { wsUrl, secretKey, connectionToken } = service.ready
    const client = createClient({
      url: wsUrl,
      webSocketImpl: WebSocket,
      connectionParams: { authorization: `Bearer ${secretKey}`, connectionToken },
      retryAttempts: 0,
    })
    const events = client.iterate({ query: 'subscription Follow { vehicleLocations { speed } }' })
    const ended = events.next().catch(() => undefined)
    for await (const _ of client.iterate({ query: '{ connection { id } }' })) continue
    const requestId = randomUUID()
    expect((await get(service, requestId)).status).toBe(200)
    await service.end('SIGTERM')
    await Promise.race([ended, events.return?.()])
    const rows = await logged()
    expect(rows.find((row) => row.requestId === requestId)).toMatchObject({ interface: 'rest', status: 200 })
    expect(rows.filter((row) => row.interface === 'websocket').map(({ operation }) => operation)).toEqual([
      'anonymous',
      'Follow',
    ])
    expect(service.output()).not.toContain('request log write failed')
  })

  test('is empty with REQUEST_LOG_DAYS=0', async () => {
    await using service = await start({ REQUEST_LOG_DAYS: '0' })
    expect((await get(service, randomUUID())).status).toBe(200)
    await service.end('SIGTERM')
    expect(await logged()).toEqual([])
  })
})
