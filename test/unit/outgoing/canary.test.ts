import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { networkInterfaces } from 'node:os'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { urlRefusalReason, type OutboundRules } from '../../../src/platform/outbound-http/ssrf-guard.ts'
import { createOutboundHttp } from '../../../src/platform/outbound-http/outbound-http.ts'
import { resolvedAddresses, spellings } from '../../support/outbound-http/forbidden-addresses.ts'

const STRICT: OutboundRules = { allowPrivate: [], requireHttps: false, permittedBy: 'WEBHOOK_ALLOW' }

/** Listeners on every local address, all on one port, that no request may reach. */
const canaries: Server[] = []
let visits = 0
let port = 0

const listen = async (host: string, at: number): Promise<Server> => {
  const server = createServer((socket) => {
    visits++
    socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')
  }).listen(at, host)
  await once(server, 'listening')
  canaries.push(server)
  return server
}

beforeAll(async () => {
  port = ((await listen('127.0.0.1', 0)).address() as AddressInfo).port
  for (const { address, family, internal } of Object.values(networkInterfaces()).flatMap(
    (found) => found ?? [],
  ))
    if (!internal && family === 'IPv4') await listen(address, port)
  await listen('::1', port).catch(() => undefined)
})

afterAll(() => {
  for (const server of canaries) server.close()
})

const post = (url: string, rules = STRICT, resolve?: (host: string) => Promise<readonly string[]>) => {
  const client = createOutboundHttp(rules, resolve ? { resolve } : {})
  return client.post({ url, headers: {}, body: '{}' }).finally(() => client.close())
}

describe('an address outside the public internet', () => {
  test('is reachable if the operator permits it, and the canary counts the visit', async () => {
    const before = visits
    const rules = { allowPrivate: ['127.0.0.1'], requireHttps: true, permittedBy: 'WEBHOOK_ALLOW' }
    expect(await post(`http://127.0.0.1:${port}/`, rules)).toMatchObject({ outcome: 'answered' })
    expect(await post(`http://0x7f.1:${port}/`, rules)).toMatchObject({ outcome: 'answered' })
    expect(visits).toBe(before + 2)
    visits = 0
  })

  test('is refused at registration and at send in every spelling', async () => {
    const own = Object.values(networkInterfaces()).flatMap((found) => found ?? [])
    const local = own.filter(({ family, internal }) => family === 'IPv4' && !internal)
    const hosts = [...spellings, ...local.map(({ address }) => address)]
    for (const scheme of ['http', 'https'])
      for (const host of hosts) {
        const url = `${scheme}://${host}:${port}/hook`
        expect([url, urlRefusalReason(url, STRICT) !== null, (await post(url)).outcome]).toEqual([
          url,
          true,
          'blocked',
        ])
      }
    expect(hosts.length * 2).toBeGreaterThan(140)
    expect(visits).toBe(0)
  })

  test('is refused at send if a name resolves to it, even among others', async () => {
    for (const scheme of ['http', 'https'])
      for (const addresses of resolvedAddresses) {
        const url = `${scheme}://hooks.example.com:${port}/hook`
        expect(urlRefusalReason(url, STRICT)).toBeNull()
        const resolve = () => Promise.resolve(addresses)
        const { outcome } = await post(url, STRICT, resolve)
        expect([addresses, outcome]).toEqual([addresses, 'blocked'])
      }
    expect(resolvedAddresses.length * 2).toBeGreaterThan(80)
    expect(visits).toBe(0)
  })

  test('is refused if the system resolves a name to it', async () => {
    const url = `http://localhost:${port}/`
    expect(urlRefusalReason(url, STRICT)).toContain('localhost (127.0.0.1) is a loopback address')
    const named = [...new Set(['localhost', 'LOCALHOST', 'localhost.', 'hooks.localhost'])]
    for (const name of named)
      expect(await post(`http://${name}:${port}/`)).toMatchObject({ outcome: 'blocked' })
    expect(visits).toBe(0)
  })
})

describe('a host name', () => {
  test('is checked at every connection, because its address can change', async () => {
    const answers = ['127.0.0.2', '127.0.0.1', '127.0.0.2']
    const rules = { allowPrivate: ['127.0.0.2'], requireHttps: true, permittedBy: 'WEBHOOK_ALLOW' }
    const receiver = createServer((socket) => {
      socket.end('HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 0\r\n\r\n')
    }).listen(port, '127.0.0.2')
    await once(receiver, 'listening')
    const client = createOutboundHttp(rules, {
      resolve: () => Promise.resolve([answers.shift() ?? '127.0.0.1']),
    })
    const send = () => client.post({ url: `http://rebound.test:${port}/`, headers: {}, body: '{}' })
    expect(await send()).toMatchObject({ outcome: 'answered', statusCode: 200 })
    expect(await send()).toMatchObject({
      outcome: 'blocked',
      error: expect.stringContaining('rebound.test (127.0.0.1) is a loopback address'),
    })
    expect(await send()).toMatchObject({ outcome: 'answered' })
    await client.close()
    receiver.close()
    expect(visits).toBe(0)
  })

  test('may use http:// only if the operator permits its addresses', async () => {
    const rules = { allowPrivate: ['127.0.0.3'], requireHttps: true, permittedBy: 'WEBHOOK_ALLOW' }
    expect(urlRefusalReason('http://hooks.example.com/', rules)).toBeNull()
    expect(urlRefusalReason('http://hooks.example.com/', { ...rules, allowPrivate: [] })).toContain(
      'https://',
    )
    expect(urlRefusalReason('http://8.8.8.8/', rules)).toContain('https://')
    const answer = await post('http://hooks.example.com/', rules, () => Promise.resolve(['8.8.8.8']))
    expect(answer).toMatchObject({ outcome: 'blocked', error: expect.stringContaining('https://') })
  })
})

describe('a URL', () => {
  test.each<readonly [url: string, reason: string]>([
    ['https://user@hooks.example.com/', 'user name'],
    ['https://user:word@hooks.example.com/', 'user name'],
    ['https://hooks.example.com@127.0.0.1/', 'user name'],
    ['https://:@127.0.0.1/', 'loopback'],
    ['https://hooks.example.com/#part', 'fragment'],
    ['https://hooks.example.com/#', 'fragment'],
    ['ftp://hooks.example.com/', 'https://'],
    ['file:///etc/passwd', 'https://'],
    ['javascript:alert(1)', 'https://'],
    ['hooks.example.com', 'not a URL'],
    ['https://', 'not a URL'],
    ['https://hooks.example.com:70000/', 'not a URL'],
    ['https://256.256.256.256/', 'not a URL'],
    ['https://[::1', 'not a URL'],
    ['https://[fe80::1%25eth0]/', 'not a URL'],
    ['https://hooks example.com/', 'not a URL'],
    [`https://hooks.example.com/${'a'.repeat(2_100)}`, 'longer than'],
    ...[0, 1, 22, 25, 53, 143, 3306, 5060, 6000, 6379, 6667, 10080, 11211].map(
      (bad): readonly [string, string] => [`https://hooks.example.com:${bad}/`, `port ${bad}`],
    ),
  ])('like %.60s is refused', async (url, reason) => {
    expect(urlRefusalReason(url, STRICT)).toContain(reason)
    expect(await post(url)).toMatchObject({ outcome: 'blocked', error: expect.stringContaining(reason) })
  })

  test.each([
    'https://hooks.example.com/',
    'https://hooks.example.com:8443/a?b=c',
    'https://bücher.example/hook',
    'https://8.8.8.8/',
    'https://[2a00:1450:4001:81b::200e]/',
  ])('like %s is accepted', (url) => {
    expect(urlRefusalReason(url, { ...STRICT, requireHttps: true })).toBeNull()
  })
})
