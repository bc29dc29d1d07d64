import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { createClient } from 'graphql-ws'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import WebSocket from 'ws'
import { Browser, overHttp } from '../../support/link/http-browser.ts'
import {
  type Home,
  makeHome,
  type RunningService,
  ServiceProcess,
} from '../../prove/support/service-process.ts'
import { sizes, startSize, storeOf } from '../../support/deployment-sizes.ts'

interface Nested {
  readonly vehicles: {
    readonly nodes: readonly {
      readonly id: string
      readonly name: string
      readonly groups: readonly { readonly name: string }[]
      readonly latestLocation: { readonly locatedAt: string } | null
      readonly trips: { readonly nodes: readonly { readonly distance: number }[] }
    }[]
  }
}

const NESTED = `{ vehicles(first: 100, hidden: true) { nodes { id name groups { name } latestLocation { locatedAt } trips(last: 1) { nodes { distance } } } } }`
const PLACES = `{ vehicleLocations { nodes { vehicle { id } locatedAt location { longitude latitude } } } }`

async function until<T>(ask: () => Promise<T | null | undefined | false>): Promise<T> {
  for (;;) {
    const answer = await ask()
    if (answer) return answer
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

describe.each(sizes)('the service, %s', (size) => {
  let home: Home
  let service: RunningService

  beforeAll(async () => {
    home = await makeHome(storeOf(size))
    service = await startSize(size, home, ['--fleet-size', '30'], { LOCATION_POLL_SECONDS: '1' })
    await service.graphql(NESTED)
  })

  afterAll(async () => {
    await service.end('SIGKILL')
    await home.remove()
  })

  test('serves the demo fleet in a query nested over three subgraphs', async () => {
    const { vehicles } = await until(async () => {
      const data = await service.graphql<Nested>(NESTED)
      return data.vehicles.nodes.some(({ trips }) => trips.nodes.length > 0) && data
    })
    expect(vehicles.nodes).toHaveLength(30)
    expect(vehicles.nodes.every(({ name, groups }) => name && groups.length > 0)).toBe(true)
    expect(vehicles.nodes.some(({ latestLocation }) => latestLocation)).toBe(true)
  })

  test('serves complete groups and devices over REST', async () => {
    const { results } = await service.rest<{
      results: { groups: { name: string }[]; devices: { type: string }[] }[]
    }>('/vehicles?limit=100&hidden=true&expand=groups,devices')
    expect(results).toHaveLength(30)
    expect(results[0]?.groups[0]?.name).toEqual(expect.any(String))
    expect(results[0]?.devices[0]?.type).toMatch(/tracker|camera/)
  })

  test('shows moved vehicles after a while', async () => {
    const before = JSON.stringify(await service.graphql(PLACES))
    await until(async () => JSON.stringify(await service.graphql(PLACES)) !== before)
  })

  test('sends a subscriber changed locations, and events from the start of the log', async () => {
    const { secretKey, connectionToken, wsUrl } = service.ready
    const client = createClient({
      url: wsUrl,
      webSocketImpl: WebSocket,
      connectionParams: { authorization: `Bearer ${secretKey}`, connectionToken },
    })
    const moved = await first<{ vehicleLocations: { vehicle: { name: string }; locatedAt: string } }>(
      client.iterate({ query: 'subscription { vehicleLocations { vehicle { name } locatedAt } }' }),
    )
    expect(moved.vehicleLocations.vehicle.name).toEqual(expect.any(String))
    const { events } = await service.graphql<{ events: { nodes: { id: string }[] } }>(
      '{ events(first: 2) { nodes { id } } }',
    )
    const next = await first<{ events: { id: string } }>(
      client.iterate({
        query: 'subscription ($after: ID) { events(after: $after) { id subject { id } } }',
        variables: { after: events.nodes[0]?.id },
      }),
    )
    expect(next.events.id).toBe(events.nodes[1]?.id)
    await client.dispose()
  })

  test('links an account on its pages and records the events of the run in order', async () => {
    const { connection } = await service.graphql<{ connection: { linkUrl: string } }>(
      '{ connection { linkUrl } }',
    )
    const link = new URL(connection.linkUrl)
    const asked = { key: link.searchParams.get('key') ?? '', provider: 'sandbox', backfill_days: '0' }
    const query = new URLSearchParams({ ...asked, redirect_url: 'http://localhost:1/linked', state: 'mine' })
    // Without LINK_URL each process uses its own address as that of the link pages.
    const { origin, host } = new URL(service.ready.graphqlUrl)
    const browser = new Browser(overHttp, {}, [host])
    await browser.open(`${origin}/link/?${query}`)
    await browser.submit('sign_in', { apiKey: 'sandbox-2-77' })
    await browser.submit('agree', { agreed: 'on' })
    const left = await until(async () => browser.externalRedirect ?? ((await browser.reload()) && null))
    expect([left.pathname, left.searchParams.get('state')]).toEqual(['/linked', 'mine'])

    const { authorization = '' } = service.headers()
    const exchange = () =>
      fetch(`${service.ready.restUrl}/public-token/exchange`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify({ publicToken: left.searchParams.get('token') }),
      })
    const linked = (await (await exchange()).json()) as { id: string; token: string }
    expect((await exchange()).status).toBe(404)
    const typesOf = async () => {
      const response = await fetch(service.ready.graphqlUrl, {
        method: 'POST',
        headers: { authorization, 'connection-token': linked.token, 'content-type': 'application/json' },
        body: JSON.stringify({ query: '{ events(first: 100) { nodes { type } } }' }),
      })
      const { data } = (await response.json()) as { data: { events: { nodes: { type: string }[] } } }
      const types = data.events.nodes.map(({ type }) => type)
      return types.filter((type) => /^(?:connection|sync)\./.test(type))
    }
    const types = await until(async () => {
      const reported = await typesOf()
      return reported.includes('connection.first_sync_completed') && reported
    })
    const [created, completed, requested] = types
    expect([created, completed, requested]).toEqual([
      'connection.created',
      'connection.completed',
      'sync.requested',
    ])
    expect(types.indexOf('sync.completed')).toBeLessThan(types.indexOf('connection.first_sync_completed'))
    expect(service.output()).not.toContain('sandbox-2-77')
  })

  test('closes a socket without a key', async () => {
    const socket = new WebSocket(service.ready.wsUrl, 'graphql-transport-ws')
    socket.on('open', () => socket.send(JSON.stringify({ type: 'connection_init' })))
    const code = await new Promise<number>((resolve) => socket.on('close', resolve))
    expect(code).toBe(4403)
  })

  test('names the query that has no key', async () => {
    const response = await fetch(service.ready.graphqlUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: '{ providers { code } }' }),
    })
    const { errors } = (await response.json()) as { errors: { extensions: { code: string } }[] }
    expect([response.status, errors[0]?.extensions.code]).toEqual([401, 'UNAUTHENTICATED'])
  })

  test.each([
    ['data', '{ vehicles(first: 2) { nodes { id groups { name } } } }', undefined],
    [
      'an error with data',
      '{ vehicles(first: 1) { nodes { id } } trip: vehicles(first: -1) { nodes { id } } }',
      undefined,
    ],
    ['a null with an error', '{ connection { id } events(after: "evt_1") { nodes { id } } }', undefined],
    [
      'a variable that fits',
      'query ($first: Int!) { vehicles(first: $first) { nodes { id } } }',
      { first: 1 },
    ],
  ])('gives %s the same response the first time and on repetition', async (_, query, variables) => {
    const ask = async (given: unknown = variables) => {
      const response = await fetch(service.ready.graphqlUrl, {
        method: 'POST',
        headers: { ...service.headers(), 'content-type': 'application/json' },
        body: JSON.stringify({ query, variables: given }),
      })
      return {
        status: response.status,
        type: response.headers.get('content-type'),
        body: await response.text(),
      }
    }
    const first = await ask()
    expect([await ask(), await ask(), await ask()]).toEqual([first, first, first])
  })

  test('responds in the requested media type, also for a cached query', async () => {
    const query = '{ vehicles(first: 3) { nodes { id } } }'
    const typeFor = async (accept: string) => {
      const response = await fetch(service.ready.graphqlUrl, {
        method: 'POST',
        headers: { ...service.headers(), accept, 'content-type': 'application/json' },
        body: JSON.stringify({ query }),
      })
      await response.text()
      return response.headers.get('content-type')
    }
    const modern = 'application/graphql-response+json, application/json;q=0.9'
    for (let time = 0; time < 3; time++) {
      expect(await typeFor(modern)).toBe('application/graphql-response+json; charset=utf-8')
      expect(await typeFor('application/json')).toBe('application/json; charset=utf-8')
    }
    expect(await typeFor('image/png')).not.toContain('graphql')
  })

  test('rejects an invalid variable in the same way for a new and a cached query', async () => {
    const ask = async (marker: string, first: unknown) => {
      const response = await fetch(service.ready.graphqlUrl, {
        method: 'POST',
        headers: { ...service.headers(), 'content-type': 'application/json' },
        body: JSON.stringify({
          query: `query ${marker}($first: Int!) { vehicles(first: $first) { nodes { id } } }`,
          variables: { first },
        }),
      })
      return { status: response.status, body: await response.text() }
    }
    const unknown = await ask('A', 'many')
    await ask('B', 1)
    expect(unknown.status).toBe(400)
    expect(unknown.body).toContain('BAD_USER_INPUT')
    expect(await ask('B', 'many')).toEqual(unknown)
  })

  test('authenticates every request of a cached query', async () => {
    const query = '{ vehicles(first: 2) { nodes { name } } }'
    await service.graphql(query)
    const response = await fetch(service.ready.graphqlUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer sk_sandbox_${'0'.repeat(32)}` },
      body: JSON.stringify({ query }),
    })
    expect(response.status).toBe(401)
    expect(await response.json()).toMatchObject({ errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] })
  })

  test('is alive and ready', async () => {
    const statuses = await Promise.all(
      ['/healthz', '/readyz'].map(async (path) => (await fetch(service.ready.url + path)).status),
    )
    expect(statuses).toEqual([200, 200])
  })

  test('keeps its keys out of the log, and exits with 0 at SIGTERM; a second start keeps the data', async () => {
    const { vehicles } = await service.graphql<Nested>(NESTED)
    expect(await service.end()).toBe(0)
    const { secretKey } = service.ready
    service = await startSize(size, home, ['--fleet-size', '30'])
    expect(service.output()).not.toContain(secretKey)
    expect(service.ready.secretKey).toBe(secretKey)
    const again = await service.graphql<Nested>(NESTED)
    expect(again.vehicles.nodes.map(({ id }) => id)).toEqual(vehicles.nodes.map(({ id }) => id))
    const { syncs } = await service.graphql<{ syncs: { nodes: unknown[] } }>('{ syncs { nodes { id } } }')
    expect(syncs.nodes).toHaveLength(1)
  })
})

async function first<T>(answers: AsyncIterableIterator<{ data?: unknown; errors?: unknown }>): Promise<T> {
  for await (const { data, errors } of answers) {
    expect(errors).toBeUndefined()
    return data as T
  }
  throw new Error('the subscription ended without a response')
}

test('SIGTERM ends a service with an open subscription', async () => {
  const home = await makeHome('sqlite')
  const service = await ServiceProcess.start(home, ['--fleet-size', '5'])
  const { wsUrl, secretKey } = service.ready
  await new Promise<void>((resolve) => {
    const client = createClient({
      url: wsUrl,
      webSocketImpl: WebSocket,
      lazy: false,
      retryAttempts: 0,
      connectionParams: { authorization: `Bearer ${secretKey}` },
      on: { connected: () => resolve() },
    })
    client.subscribe(
      { query: 'subscription { events { id } }' },
      { next: () => {}, error: () => {}, complete: () => {} },
    )
  })
  expect(await service.end()).toBe(0)
  await home.remove()
})

describe('npm start', () => {
  const started = async (home: Home) => {
    const readyFile = join(home.folder, 'ready.json')
    const options = ['--port', '0', '--data', home.folder, '--fleet-size', '5', '--ready-file', readyFile]
    const env = { ...process.env, MYSQL_URL: '', REDIS_URL: '' }
    const npm = spawn('npm', ['start', '--', ...options], { stdio: 'ignore', env })
    const { url } = await until(async () => existsSync(readyFile) && parsed(readFileSync(readyFile, 'utf8')))
    return { npm, url, exited: once(npm, 'exit') }
  }
  const parsed = (text: string) => (text.endsWith('}\n') ? (JSON.parse(text) as { url: string }) : null)
  const isGone = (url: string) =>
    fetch(`${url}/healthz`).then(
      () => false,
      () => true,
    )

  test('forwards SIGTERM and exits with 0', async () => {
    const home = await makeHome('sqlite')
    const { npm, url, exited } = await started(home)
    npm.kill('SIGTERM')
    expect((await exited)[0]).toBe(0)
    expect(await isGone(url)).toBe(true)
    await home.remove()
  })

  test('leaves no service process behind when it is killed', async () => {
    const home = await makeHome('sqlite')
    const { npm, url, exited } = await started(home)
    npm.kill('SIGKILL')
    await exited
    await until(() => isGone(url))
    await home.remove()
  })
})

describe('an invalid start', () => {
  const refused = async (options: readonly string[], environment: Readonly<Record<string, string>> = {}) => {
    const home = await makeHome('sqlite')
    await using service = ServiceProcess.spawn(home, options, environment)
    const code = await new Promise((resolve) => service.child.once('close', resolve))
    await home.remove()
    return { code, output: service.output() }
  }

  test('names a used port and a remedy', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as { port: number }
    const { code, output } = await refused(['--port', String(port)])
    server.close()
    expect(code).toBe(1)
    expect(output).toBe(
      `odograph: port ${port} of 127.0.0.1 is in use: stop the process that listens there, or choose another with --port\n`,
    )
  })

  test('names every invalid option, variable and folder in one line', async () => {
    const { code, output } = await refused(['--port', 'x', '--fleet', '3', '--data', '/dev/null/x'], {
      MYSQL_URL: 'nowhere',
      LOG_LEVEL: 'loud',
    })
    expect(code).toBe(2)
    expect(output.trim().split('\n')).toHaveLength(1)
    for (const part of ['--port', '--fleet', '/dev/null/x', 'MYSQL_URL', 'LOG_LEVEL'])
      expect(output).toContain(part)
  })

  test('lists its options on request', async () => {
    const { code, output } = await refused(['--help'])
    expect(code).toBe(0)
    for (const option of ['--port', '--data', '--fleet-size', '--ready-file', '--role', 'MYSQL_URL'])
      expect(output).toContain(option)
  })
})
