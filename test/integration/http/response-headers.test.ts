import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Home, makeHome, ServiceProcess } from '../../prove/support/service-process.ts'
import { freePort } from '../../support/queue/temporary-redis.ts'

const HSTS = 'max-age=31536000'
const NO_STORE = 'private, no-store'

const requests: readonly (readonly [name: string, path: string, init: RequestInit, cacheControl: string])[] =
  [
    ['REST', '/tsp/v1/vehicles', {}, NO_STORE],
    ['an error of REST', '/tsp/v1/vehicles?limit=x', {}, NO_STORE],
    ['a missing route', '/nothing', {}, NO_STORE],
    [
      'GraphQL',
      '/graphql?query={vehicles{totalCount}}',
      { headers: { accept: 'application/json' } },
      NO_STORE,
    ],
    [
      'an event stream',
      '/graphql?query={vehicles{totalCount}}',
      { headers: { accept: 'text/event-stream' } },
      NO_STORE,
    ],
    [
      'an invalid body',
      '/graphql',
      { method: 'POST', body: '{', headers: { 'content-type': 'application/json' } },
      NO_STORE,
    ],
    ['a link page', '/link', {}, NO_STORE],
    ['a probe', '/readyz', {}, NO_STORE],
    ['a page', '/tsp/v1/docs', {}, 'no-cache'],
    ['the OpenAPI document', '/tsp/v1/openapi.json', {}, 'no-cache'],
    ['the schemas of events', '/schemas/events', {}, 'no-cache'],
  ]

describe.each([
  ['https', 'https://odograph.example.com', HSTS],
  ['http', 'http://localhost:8080', null],
])('with a public URL of %s', (_scheme, publicUrl, hsts) => {
  let home: Home
  let service: ServiceProcess
  let url: string

  beforeAll(async () => {
    home = await makeHome('sqlite')
    const port = await freePort()
    url = `http://127.0.0.1:${port}`
    service = await ServiceProcess.start(home, ['--fleet-size', '1', '--port', String(port)], {
      PUBLIC_URL: publicUrl,
    })
  })
  afterAll(async () => {
    await service.end('SIGKILL')
    await home.remove()
  })

  test.each(requests)('%s has the headers that protect browsers', async (_name, path, init, cacheControl) => {
    const { headers } = await fetch(url + path, {
      ...init,
      headers: { ...service.headers(), ...init.headers },
    })
    expect(Object.fromEntries(NAMES.map((name) => [name, headers.get(name)]))).toEqual({
      'cache-control': cacheControl,
      'strict-transport-security': hsts,
      'x-content-type-options': 'nosniff',
    })
  })

  test('assets have them too', async () => {
    const page = await (await fetch(`${url}/tsp/v1/docs`)).text()
    const [, asset = ''] = /src="(\/[^"]+)"/.exec(page) ?? []
    const { headers } = await fetch(url + asset)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(headers.get('strict-transport-security')).toBe(hsts)
  })
})

const NAMES = ['cache-control', 'strict-transport-security', 'x-content-type-options']
