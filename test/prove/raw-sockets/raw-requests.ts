import type { Random } from '../../fuzz/random.ts'

/** Requests as bytes: valid ones for every route, and mutations of them. */

const json = (body: unknown): string[] => {
  const text = JSON.stringify(body)
  return ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(text)}`, '', text]
}

const QUERY = { query: '{ __typename }' }
const SUBSCRIPTION = encodeURIComponent('subscription { events { id } }')
const WEBSOCKET = [
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  'Sec-WebSocket-Protocol: graphql-transport-ws',
]

/** A masked text frame with the first message of the protocol. */
const CONNECTION_INIT = frameOf('{"type":"connection_init"}')

function frameOf(text: string): string {
  const body = Buffer.from(text)
  return Buffer.concat([Buffer.from([0x81, 0x80 | body.length, 0, 0, 0, 0]), body]).toString('latin1')
}

interface Sound {
  readonly line: string
  readonly headers: readonly string[]
  /** Bytes after the head. */
  readonly rest?: string
}

const doors: readonly Sound[] = [
  { line: 'GET /healthz HTTP/1.1', headers: [] },
  { line: 'GET /readyz HTTP/1.1', headers: [] },
  { line: 'GET /metrics HTTP/1.1', headers: [] },
  { line: 'GET /tsp/v1/vehicles?limit=2 HTTP/1.1', headers: [] },
  { line: 'GET /tsp/v1/openapi.json HTTP/1.1', headers: [] },
  { line: 'PATCH /tsp/v1/connections/current HTTP/1.1', headers: json({ tags: ['a'] }) },
  { line: 'POST /graphql HTTP/1.1', headers: json(QUERY) },
  { line: 'GET /graphql?query=%7B__typename%7D HTTP/1.1', headers: ['apollo-require-preflight: yes'] },
  { line: 'GET /graphql HTTP/1.1', headers: ['Accept: text/html'] },
  { line: `GET /graphql?query=${SUBSCRIPTION} HTTP/1.1`, headers: ['Accept: text/event-stream'] },
  { line: 'POST /graphql HTTP/1.1', headers: ['Accept: text/event-stream', ...json(QUERY)] },
  { line: 'PUT /graphql HTTP/1.1', headers: [] },
  { line: 'DELETE /graphql?operationId=1 HTTP/1.1', headers: ['x-graphql-event-stream-token: none'] },
  { line: 'GET /graphql HTTP/1.1', headers: WEBSOCKET, rest: CONNECTION_INIT },
  { line: 'GET /graphql HTTP/1.1', headers: [...WEBSOCKET, 'Origin: https://elsewhere.example'] },
  { line: 'GET // HTTP/1.1', headers: WEBSOCKET },
  { line: 'GET /nowhere HTTP/1.1', headers: WEBSOCKET },
  {
    line: 'POST /graphql HTTP/1.1',
    headers: [
      'Connection: Upgrade, HTTP2-Settings',
      'Upgrade: h2c',
      'HTTP2-Settings: AAMAAABk',
      ...json(QUERY),
    ],
  },
  { line: 'GET /link HTTP/1.1', headers: ['Accept: text/html'] },
  { line: 'GET /link/?publishableKey=pk_none HTTP/1.1', headers: ['Accept: text/html'] },
  { line: 'GET /link/oauth/callback?state=none&code=none HTTP/1.1', headers: [] },
  { line: 'GET /l/none HTTP/1.1', headers: [] },
  { line: 'POST /webhooks/providers/sandbox/none HTTP/1.1', headers: json({ event: 'none' }) },
  { line: 'GET /media/none HTTP/1.1', headers: [] },
  { line: 'OPTIONS /graphql HTTP/1.1', headers: ['Origin: https://elsewhere.example'] },
]

const targets = [
  '//',
  'http://[/graphql',
  '*',
  '',
  '/%',
  '/%00',
  '/..//graphql',
  '/graphql?%',
  '//[',
  '?',
  '/\\',
]
const methods = ['GET', 'POST', 'CONNECT', 'TRACE', 'PRI', 'QUERY', 'M-SEARCH', 'get', '']
const oddHeaders = [
  'Host:',
  'Host: [',
  'Host: a:b:c',
  'Content-Length: 99999',
  'Content-Length: -1',
  'Transfer-Encoding: chunked',
  'Transfer-Encoding: gzip, chunked',
  'Expect: 100-continue',
  'Expect: nothing',
  'Connection: close',
  'Connection: upgrade',
  'Upgrade: websocket',
  'Upgrade: h2c',
  'Upgrade: ,',
  'Sec-WebSocket-Key: short',
  'Sec-WebSocket-Version: 99',
  'Origin: null',
  'Origin: ://',
  'Last-Event-ID: none',
  'Content-Type: text/plain; charset=',
  'Content-Encoding: br',
  'Authorization: Bearer none',
  'Connection-Token: none',
  'Cookie: =;=',
  'X-Forwarded-Host: [',
  'X-Forwarded-Proto: ://',
  'Forwarded: for="',
  `X-Long: ${'x'.repeat(20_000)}`,
]

/** Returns the bytes of one or two requests, valid or mutated. */
export function rawRequest(random: Random): Buffer {
  const one = () => Buffer.from(textOf(random), 'latin1')
  const bytes = random.chance(0.1) ? Buffer.concat([one(), one()]) : one()
  return random.chance(0.3) ? mutated(bytes, random) : bytes
}

function textOf(random: Random): string {
  const { line, headers, rest = '' } = random.pick(doors)
  const [method = '', target = '', version = ''] = line.split(' ')
  const first = [
    random.chance(0.1) ? random.pick(methods) : method,
    random.chance(0.15) ? random.pick(targets) : target,
    random.chance(0.05) ? random.pick(['HTTP/1.0', 'HTTP/2.0', 'HTTP/0.9', '']) : version,
  ].join(' ')
  const host = random.chance(0.05) ? [] : ['Host: localhost']
  const odd = random.chance(0.3) ? [random.pick(oddHeaders)] : []
  const body = headers.indexOf('')
  const head = body < 0 ? headers : headers.slice(0, body)
  const lines = [first, ...host, ...odd, ...head, '', body < 0 ? '' : (headers[body + 1] ?? '')]
  return lines.join(random.chance(0.03) ? '\n' : '\r\n') + rest
}

/** Changes, removes, duplicates or inserts bytes. */
function mutated(bytes: Buffer, random: Random): Buffer {
  let changed = bytes
  for (let count = 1 + random.below(4); count > 0; count--) {
    const at = random.below(changed.length + 1)
    const until = Math.min(changed.length, at + random.below(8))
    const between = random.pick([
      Buffer.from([random.below(256)]),
      Buffer.alloc(0),
      Buffer.concat([changed.subarray(at, until), changed.subarray(at, until)]),
      Buffer.from('\r\n'),
    ])
    changed = Buffer.concat([changed.subarray(0, at), between, changed.subarray(until)])
  }
  return changed
}
