import { readFileSync } from 'node:fs'
import { createClient } from 'graphql-ws'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import WebSocket from 'ws'
import { isOn } from '../../../src/platform/config/config.ts'
import { type Home, makeHome, ServiceProcess } from '../../prove/support/service-process.ts'

const INTROSPECTION = '{ __schema { queryType { name } } }'
const MISSPELT = '{ vehicls { totalCount } }'

/** Starts a service for the tests of a suite. */
function serviceIn(environment: Readonly<Record<string, string>>): { readonly service: ServiceProcess } {
  const own = {} as { home: Home; service: ServiceProcess }
  beforeAll(async () => {
    own.home = await makeHome('sqlite')
    own.service = await ServiceProcess.start(own.home, ['--fleet-size', '1'], environment)
  })
  afterAll(async () => {
    await own.service.end('SIGKILL')
    await own.home.remove()
  })
  return own
}

const asBrowser = { headers: { accept: 'text/html,application/xhtml+xml' } }

describe('in production', () => {
  const own = serviceIn({ NODE_ENV: 'production', DEMO: 'on' })

  test('browsers get no GraphiQL', async () => {
    const response = await fetch(own.service.ready.graphqlUrl, asBrowser)
    expect(response.status).toBe(406)
    expect(await response.text()).not.toContain('<title>')
  })

  test('browsers get the page of the REST API', async () => {
    const response = await fetch(`${own.service.ready.restUrl}/docs`, asBrowser)
    expect(await response.text()).toContain('<title>REST API')
  })

  test('introspection is disabled over HTTP and WebSocket', async () => {
    const refusal = expect.stringContaining('introspection has been disabled')
    expect(await overHttp(own.service)).toEqual(refusal)
    expect(await overWebsocket(own.service)).toEqual(refusal)
  })

  test('the schema is not served, and only callers with a key learn why', async () => {
    expect(await schemaFile(own.service, own.service.headers())).toMatchObject({
      status: 403,
      body: expect.stringContaining('Introspection is off.'),
    })
    expect(await schemaFile(own.service)).toMatchObject({ status: 401 })
  })

  test('errors suggest no names of the schema over HTTP, SSE and WebSocket', async () => {
    const refusal = 'Cannot query field "vehicls" on type "Query".'
    expect(await overHttp(own.service, MISSPELT)).toBe(refusal)
    expect(await overHttp(own.service, MISSPELT, 'text/event-stream')).toBe(refusal)
    expect(await overWebsocket(own.service, MISSPELT)).toBe(refusal)
  })
})

describe('in development', () => {
  const own = serviceIn({})

  test('introspection is enabled over HTTP and WebSocket', async () => {
    expect([await overHttp(own.service), await overWebsocket(own.service)]).toEqual([null, null])
  })

  test('the schema is served as SDL to callers with a key', async () => {
    const { status, body } = await schemaFile(own.service, own.service.headers())
    expect(status).toBe(200)
    expect(body).toBe(readFileSync('schema/api.graphql', 'utf8'))
    expect(await schemaFile(own.service)).toMatchObject({ status: 401 })
  })

  test('errors suggest names of the schema', async () => {
    expect(await overHttp(own.service, MISSPELT)).toContain('Did you mean "vehicle"')
    expect(await overWebsocket(own.service, MISSPELT)).toContain('Did you mean "vehicle"')
  })

  test('clients get no page if they accept JSON or any type', async () => {
    for (const accept of ['application/json', '*/*']) {
      const response = await fetch(own.service.ready.graphqlUrl, { headers: { accept } })
      expect(response.headers.get('content-type')).not.toContain('html')
    }
  })

  const loadedPaths = async () => {
    const page = await fetch(`${own.service.ready.restUrl}/docs`)
    return [...(await page.text()).matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path = '']) => path)
  }

  test('assets are immutable for caches, and have a content type and compression', async () => {
    const types = ['text/css; charset=utf-8', 'application/javascript; charset=utf-8']
    const answers = await Promise.all(
      (await loadedPaths()).map((path) =>
        fetch(own.service.ready.url + path, { headers: { 'accept-encoding': 'gzip' } }),
      ),
    )
    for (const [place, { status, headers }] of answers.entries()) {
      expect(status).toBe(200)
      expect(headers.get('content-type')).toBe(types[place])
      expect(headers.get('content-encoding')).toBe('gzip')
      expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    }
    expect(answers).toHaveLength(types.length)
  })

  test('asset paths give access to no other file', async () => {
    const [asset = ''] = await loadedPaths()
    const folder = asset.slice(0, asset.lastIndexOf('/'))
    for (const path of ['/../../../../package.json', '/%2e%2e/%2e%2e/src/main.js', '/', '/.', '/%00'])
      expect((await fetch(own.service.ready.url + folder + path)).status).toBeGreaterThanOrEqual(400)
  })

  test('the content security policy allows assets only from its own server', async () => {
    for (const url of [own.service.ready.graphqlUrl, `${own.service.ready.restUrl}/docs`]) {
      const policy = (await fetch(url, asBrowser)).headers.get('content-security-policy') ?? ''
      expect(policy).toContain("default-src 'none'; script-src 'self';")
      expect(policy).not.toMatch(/https?:|wss?:|\*|unsafe-eval/)
    }
  })
})

test.each([
  ['auto', undefined, {}, true],
  ['auto', 'development', {}, true],
  ['auto', 'production', {}, false],
  ['auto', undefined, { host: '::1', publicUrl: 'http://localhost:8080' }, true],
  ['auto', undefined, { host: '0.0.0.0' }, false],
  ['auto', undefined, { host: '::' }, false],
  ['auto', undefined, { publicUrl: 'https://odograph.example.com' }, false],
  ['auto', undefined, { linkUrl: 'https://link.example.com' }, false],
  ['on', 'production', { host: '0.0.0.0' }, true],
  ['off', undefined, {}, false],
] as const)('a switch set to %s with NODE_ENV %s and %o is on: %s', (value, environment, address, on) => {
  const config = { environment, host: '127.0.0.1', publicUrl: undefined, linkUrl: undefined, ...address }
  for (const name of ['graphiql', 'introspection', 'metrics'] as const)
    expect(isOn(name, { ...config, [name]: value })).toBe(on)
})

async function schemaFile({ ready }: ServiceProcess, headers: Record<string, string> = {}) {
  const response = await fetch(`${ready.graphqlUrl}/schema.graphql`, { headers })
  return { status: response.status, body: await response.text() }
}

async function overHttp(
  service: ServiceProcess,
  query = INTROSPECTION,
  accept = 'application/json',
): Promise<string | null> {
  const response = await fetch(service.ready.graphqlUrl, {
    method: 'POST',
    headers: { ...service.headers(), 'content-type': 'application/json', accept },
    body: JSON.stringify({ query }),
  })
  const [text = ''] = /\{.*\}/.exec(await response.text()) ?? []
  const { errors } = JSON.parse(text) as { errors?: readonly { message: string }[] }
  return errors?.[0]?.message ?? null
}

async function overWebsocket({ ready }: ServiceProcess, query = INTROSPECTION): Promise<string | null> {
  const client = createClient({
    url: ready.wsUrl,
    webSocketImpl: WebSocket,
    connectionParams: { authorization: `Bearer ${ready.secretKey}` },
  })
  return new Promise<string | null>((resolve) => {
    client.subscribe(
      { query },
      {
        next: () => resolve(null),
        error: (errors) => resolve((errors as readonly { message: string }[])[0]?.message ?? String(errors)),
        complete: () => {},
      },
    )
  }).finally(() => client.dispose())
}
