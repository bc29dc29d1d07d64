import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FederationHarness, type GatewayClient, until } from '../../support/federation/federation-harness.ts'
import { headersOf } from '../../support/rest/rest-harness.ts'

let federation: FederationHarness
let gateway: GatewayClient

beforeAll(async () => {
  federation = await FederationHarness.start([])
  gateway = await federation.startGateway()
})
afterAll(() => federation[Symbol.asyncDispose]())

const openSocket = (): Socket => connect(Number(new URL(gateway.url).port), '127.0.0.1')

const WEBSOCKET = [
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
]
const H2C = [
  'Connection: Upgrade, HTTP2-Settings',
  'Upgrade: h2c',
  'HTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA',
]

function requestOf(line: string, headers: readonly string[], body = ''): string {
  const length = body === '' ? [] : [`Content-Length: ${body.length}`, 'Content-Type: application/json']
  return `${[line, 'Host: localhost', ...headers, ...length].join('\r\n')}\r\n\r\n${body}`
}

const credentials = () =>
  Object.entries(headersOf(federation.fleet.narrowed(0))).map(([name, value]) => `${name}: ${String(value)}`)

const connectionId = () => federation.fleet.connections[0]!.connection.id

/** Returns the response up to the end of the connection, or until it contains a text. */
async function answerTo(parts: readonly string[], until?: string): Promise<string> {
  const socket = openSocket()
  let text = ''
  for (const part of parts) socket.write(part)
  for await (const chunk of socket) {
    text += String(chunk)
    if (until !== undefined && text.includes(until)) break
  }
  socket.destroy()
  return text
}

const statusOf = (answer: string): number => Number(answer.split(' ')[1])

const statusOfService = async () => (await fetch(`${gateway.url}/graphql`, { method: 'POST' })).status

describe('an upgrade to a websocket', () => {
  test.each([
    ['//', 400],
    ['http://[/graphql', 400],
    ['/nowhere', 404],
    ['/tsp/v1/vehicles', 404],
  ])('at %s gets status %i', async (target, status) => {
    expect(statusOf(await answerTo([requestOf(`GET ${target} HTTP/1.1`, WEBSOCKET)]))).toBe(status)
  })

  test('from another origin gets status 403, otherwise 101 at /graphql', async () => {
    const foreign = [...WEBSOCKET, 'Origin: https://elsewhere.example']
    expect(statusOf(await answerTo([requestOf('GET /graphql HTTP/1.1', foreign)]))).toBe(403)
    expect(statusOf(await answerTo([requestOf('GET /graphql HTTP/1.1', WEBSOCKET)], '\r\n\r\n'))).toBe(101)
  })

  test.each([
    ['LocalHost', 'http://localhost'],
    ['localhost:80', 'http://localhost'],
    ['localhost:443', 'https://localhost'],
  ])('to the host %s from a page of %s gets status 101', async (host, origin) => {
    const headers = [...WEBSOCKET, `Origin: ${origin}`]
    const upgrade = requestOf('GET /graphql HTTP/1.1', headers).replace('Host: localhost', `Host: ${host}`)
    expect(statusOf(await answerTo([upgrade], '\r\n\r\n'))).toBe(101)
  })

  test('that is refused leaves no open connection, even if the client sends more', async () => {
    const before = await gateway.connections()
    const socket = openSocket()
    socket.on('error', () => undefined)
    socket.write(requestOf('GET /nowhere HTTP/1.1', WEBSOCKET))
    await once(socket, 'data')
    socket.write('more')
    await until(async () => (await gateway.connections()) <= before)
    socket.destroy()
  })

  test.each([
    ['from a foreign origin', '/graphql', [...WEBSOCKET, 'Origin: https://elsewhere.example']],
    ['at an unknown path', '/nowhere', WEBSOCKET],
    ['at an invalid URL', '//', WEBSOCKET],
    ['to another protocol', '/graphql', H2C],
  ])('%s that is reset at once does not stop the service', async (_name, target, headers) => {
    for (let time = 0; time < 30; time++) {
      const socket = openSocket()
      await new Promise<void>((resolve, reject) => {
        socket.on('error', reject)
        socket.write(requestOf(`GET ${target} HTTP/1.1`, headers), () => {
          socket.resetAndDestroy()
          resolve()
        })
      })
    }
    expect(await statusOfService()).toBe(400)
  })
})

describe('an upgrade to another protocol is ignored', () => {
  const query = JSON.stringify({ query: '{ connection { status } }' })
  const STATUS = '{"data":{"connection":{"status":"CONNECTED"}}}'

  test('over REST', async () => {
    const answer = await answerTo(
      [requestOf('GET /tsp/v1/connections/current HTTP/1.1', [...H2C, ...credentials()])],
      connectionId(),
    )
    expect(statusOf(answer)).toBe(200)
  })

  test('over GraphQL', async () => {
    const text = requestOf('POST /graphql HTTP/1.1', [...H2C, ...credentials()], query)
    const answer = await answerTo([text], STATUS)
    expect([statusOf(answer), answer.includes(STATUS)]).toEqual([200, true])
  })

  test('with a body in pieces or chunks', async () => {
    const text = requestOf('POST /graphql HTTP/1.1', [...H2C, ...credentials()], query)
    const pieces = [text.slice(0, -query.length), query.slice(0, 10), query.slice(10)]
    expect(await answerTo(pieces, STATUS)).toContain(STATUS)
    const chunked = requestOf('POST /graphql HTTP/1.1', [
      ...H2C,
      ...credentials(),
      'Content-Type: application/json',
      'Transfer-Encoding: chunked',
    ])
    const chunks = `${query.length.toString(16)}\r\n${query}\r\n0\r\n\r\n`
    expect(await answerTo([chunked, chunks], STATUS)).toContain(STATUS)
  })

  test('on a connection with many such requests', async () => {
    const warnings: Error[] = []
    const warn = (warning: Error) => void warnings.push(warning)
    process.on('warning', warn)
    const path = 'GET /tsp/v1/connections/current HTTP/1.1'
    const socket = openSocket()
    const answers = socket[Symbol.asyncIterator]()
    for (const headers of [...Array.from({ length: 30 }, () => H2C), []]) {
      let text = ''
      socket.write(requestOf(path, [...headers, ...credentials()]))
      while (!text.includes(connectionId())) text += String((await answers.next()).value)
      expect(statusOf(text)).toBe(200)
    }
    socket.destroy()
    process.off('warning', warn)
    expect(warnings).toEqual([])
  })

  test('after a pipelined request', async () => {
    const first = requestOf('POST /graphql HTTP/1.1', credentials(), query)
    const second = requestOf('GET /tsp/v1/connections/current HTTP/1.1', [...H2C, ...credentials()])
    const answer = await answerTo([first + second], connectionId())
    expect(answer.indexOf(STATUS)).toBeGreaterThan(0)
    expect(answer.match(/HTTP\/1.1 200 OK/g)).toHaveLength(2)
  })
})
