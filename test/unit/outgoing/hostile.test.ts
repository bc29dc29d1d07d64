import { getEventListeners, once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import {
  type OutboundHttpOptions,
  createOutboundHttp,
} from '../../../src/platform/outbound-http/outbound-http.ts'
import { certificateFor } from '../../support/outbound-http/certificate.ts'
import { type Behaviour, Receiver } from '../../support/outbound-http/raw-receiver.ts'

const RULES = { allowPrivate: ['127.0.0.0/8'], requireHttps: false, permittedBy: 'WEBHOOK_ALLOW' }
const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n'
const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'

function client(options: OutboundHttpOptions = {}) {
  const outbound = createOutboundHttp(RULES, options)
  const post = (url: string, timeoutMs = 15_000, signal?: AbortSignal) =>
    outbound.post(
      { url, headers: { 'content-type': 'application/json' }, body: '{"a":1}', timeoutMs },
      signal,
    )
  return { post, [Symbol.asyncDispose]: () => outbound.close() }
}

const responds =
  (text: string | Buffer): Behaviour =>
  (socket) => {
    socket.write(text)
  }

/** Sends pieces until the client closes the connection. */
const drips =
  (start: string, piece: string, everyMs: number): Behaviour =>
  (socket) => {
    socket.write(start)
    const timer = setInterval(() => socket.write(piece), everyMs)
    socket.on('close', () => clearInterval(timer))
  }

/** Sends a text in separate packets of one byte. */
const sendsSlowly =
  (text: string): Behaviour =>
  async (socket) => {
    socket.setNoDelay(true)
    for (const byte of text) {
      socket.write(byte)
      await wait(1)
    }
  }

const floods: Behaviour = (socket) => {
  socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1073741824\r\n\r\n')
  const piece = Buffer.alloc(65_536, 'x')
  const more = () => {
    while (!socket.destroyed && socket.write(piece));
  }
  socket.on('drain', more)
  more()
}

const failed = (outcome: string, error: string) => ({ outcome, error: expect.stringContaining(error) })
const answered = (statusCode: number, body: unknown = '') => ({ outcome: 'answered', statusCode, body })

/** Timeout for receivers that never finish. The default is long enough for an answer on any machine. */
const SHORT_MS = 400

interface Row {
  readonly receiver: string
  readonly does: Behaviour
  readonly timeoutMs?: number
  readonly expected: object
}

const rows: readonly Row[] = [
  { receiver: 'answers', does: responds(OK), expected: answered(200, 'ok') },
  {
    receiver: 'never answers',
    does: () => undefined,
    timeoutMs: SHORT_MS,
    expected: failed('timed_out', 'did not answer within 0.4 s'),
  },
  {
    receiver: 'answers 500',
    does: responds('HTTP/1.1 500 No\r\ncontent-length: 4\r\n\r\nhelp'),
    expected: answered(500, 'help'),
  },
  {
    receiver: 'closes before an answer',
    does: (socket) => socket.end(),
    expected: failed('unreachable', 'closed the connection before it answered'),
  },
  {
    receiver: 'resets before an answer',
    does: (socket) => socket.resetAndDestroy(),
    expected: failed('unreachable', 'reset the connection'),
  },
  {
    receiver: 'resets within the head',
    does: (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-le', () => socket.resetAndDestroy()),
    expected: failed('unreachable', 'connection'),
  },
  {
    receiver: 'closes within the body',
    does: (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\npart'),
    expected: answered(200, 'part'),
  },
  {
    receiver: 'sends the head byte by byte',
    does: drips('HTTP/1.1 200 OK\r\n', 'x', 20),
    timeoutMs: SHORT_MS,
    expected: failed('timed_out', 'did not answer'),
  },
  {
    receiver: 'sends the body byte by byte',
    does: drips('HTTP/1.1 200 OK\r\ncontent-length: 99999\r\n\r\n', 'x', 20),
    timeoutMs: SHORT_MS,
    expected: answered(200, expect.stringMatching(/^x*$/)),
  },
  { receiver: 'streams forever', does: floods, expected: answered(200, 'x'.repeat(16_384)) },
  {
    receiver: 'streams forever in chunks',
    does: drips('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n', '5\r\nhello\r\n', 20),
    timeoutMs: SHORT_MS,
    expected: answered(200, expect.stringMatching(/^(hello)*$/)),
  },
  {
    receiver: 'sends 102 forever',
    does: drips('', 'HTTP/1.1 102 Processing\r\n\r\n', 20),
    timeoutMs: SHORT_MS,
    expected: failed('timed_out', 'did not answer'),
  },
  {
    receiver: 'sends 103 first',
    does: responds(`HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n${OK}`),
    expected: answered(200, 'ok'),
  },
  {
    receiver: 'sends 100 without a request for it',
    does: responds(`${CONTINUE}${OK}`),
    expected: answered(200, 'ok'),
  },
  {
    receiver: 'sends 100 twice, and 103 between them',
    does: responds(`${CONTINUE}HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n${CONTINUE}${OK}`),
    expected: answered(200, 'ok'),
  },
  {
    receiver: 'sends 100 with headers, byte by byte',
    does: sendsSlowly(`HTTP/1.1 100 Continue\r\nserver: x\r\n\r\n${OK}`),
    expected: answered(200, 'ok'),
  },
  {
    receiver: 'sends 100 and then closes',
    does: (socket) => void socket.end(CONTINUE),
    expected: failed('unreachable', ''),
  },
  {
    receiver: 'sends 100 forever',
    does: drips('', CONTINUE, 20),
    timeoutMs: SHORT_MS,
    expected: failed('timed_out', 'did not answer'),
  },
  {
    receiver: 'sends 100 with a huge head',
    does: responds(`HTTP/1.1 100 Continue\r\nx: ${'y'.repeat(40_000)}\r\n\r\n`),
    expected: failed('unreachable', ''),
  },
  {
    receiver: 'answers with the text of a 100',
    does: responds(`HTTP/1.1 200 OK\r\ncontent-length: ${CONTINUE.length}\r\n\r\n${CONTINUE}`),
    expected: answered(200, CONTINUE),
  },
  {
    receiver: 'changes the protocol',
    does: responds('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
    expected: failed('unreachable', 'protocol upgrade'),
  },
  {
    receiver: 'has a huge head',
    does: responds(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(40_000)}\r\n\r\n`),
    expected: failed('unreachable', 'larger than 16 KiB'),
  },
  {
    receiver: 'has very many headers',
    does: responds(`HTTP/1.1 200 OK\r\n${'a: b\r\n'.repeat(40_000)}\r\n`),
    expected: failed('unreachable', 'larger than 16 KiB'),
  },
  {
    receiver: 'is not an HTTP server',
    does: responds('220 mail.example.com ESMTP\r\n'),
    expected: failed('unreachable', 'not HTTP'),
  },
  {
    receiver: 'sends a bad length',
    does: responds('HTTP/1.1 200 OK\r\ncontent-length: two\r\n\r\nok'),
    expected: failed('unreachable', 'not HTTP'),
  },
  {
    receiver: 'sends a chunk without a valid length',
    does: responds('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\nhello\r\n'),
    expected: answered(200),
  },
  {
    receiver: 'redirects',
    does: responds('HTTP/1.1 302 Found\r\nlocation: http://169.254.169.254/\r\ncontent-length: 0\r\n\r\n'),
    expected: answered(302),
  },
  { receiver: 'answers 204', does: responds('HTTP/1.1 204 No Content\r\n\r\n'), expected: answered(204) },
  {
    receiver: 'answers with invalid UTF-8',
    does: responds(
      Buffer.concat([
        Buffer.from('HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\n'),
        Buffer.from([0xff, 0xfe, 0x41]),
      ]),
    ),
    expected: answered(200, '\u{fffd}\u{fffd}A'),
  },
  {
    receiver: 'answers with a gzip bomb',
    does: (socket) => {
      const bomb = gzipSync(Buffer.alloc(50_000_000))
      socket.write(`HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`)
      socket.write(bomb)
    },
    expected: answered(200, '(compressed: gzip)'),
  },
]

describe('a receiver that', () => {
  test.each(rows)('$receiver', async ({ does, timeoutMs, expected }) => {
    await using receiver = await Receiver.start(does)
    await using outside = client()
    expect(await outside.post(receiver.url(), timeoutMs)).toMatchObject(expected)
    expect(receiver.heads).toHaveLength(1)
  })

  test('does not listen is unreachable', async () => {
    const receiver = await Receiver.start(responds(OK))
    const url = receiver.url()
    await receiver[Symbol.asyncDispose]()
    await using outside = client()
    expect(await outside.post(url)).toMatchObject(
      failed('unreachable', 'refused the connection (ECONNREFUSED)'),
    )
  })

  test('sends too much loses its connection', async () => {
    await using receiver = await Receiver.start(floods)
    await using outside = client()
    await outside.post(receiver.url())
    await expect.poll(() => receiver.open).toBe(0)
    expect(receiver.connections).toBe(1)
  })

  test('streams a gigabyte to each of many requests costs little memory', async () => {
    await using receiver = await Receiver.start(floods)
    await using outside = client()
    await outside.post(receiver.url())
    const before = process.memoryUsage().rss
    for (let i = 0; i < 100; i++) await outside.post(receiver.url())
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1024 * 1024)
  })

  test('redirects is not followed', async () => {
    await using canary = await Receiver.start(responds(OK))
    const to = canary.url()
    await using receiver = await Receiver.start(
      responds(`HTTP/1.1 307 Temporary Redirect\r\nlocation: ${to}\r\ncontent-length: 0\r\n\r\n`),
    )
    await using outside = client()
    expect(await outside.post(receiver.url())).toMatchObject({ statusCode: 307, headers: { location: to } })
    expect(canary.connections).toBe(0)
  })

  test('never answers does not delay other receivers, and its requests can be aborted', async () => {
    await using dead = await Receiver.start(() => undefined)
    await using healthy = await Receiver.start(responds(OK))
    await using outside = client()
    const hanging = new AbortController()
    const held = Array.from({ length: 400 }, () =>
      outside.post(dead.url(), 60_000, hanging.signal).catch((reason: Error) => reason.name),
    )
    await expect.poll(() => dead.open).toBe(256)
    expect(await outside.post(healthy.url())).toMatchObject(answered(200, 'ok'))
    hanging.abort()
    expect(new Set(await Promise.all(held))).toEqual(new Set(['AbortError']))
    await expect.poll(() => dead.open).toBe(0)
  })

  test('has too many requests in flight gets no further connection', async () => {
    await using dead = await Receiver.start(() => undefined)
    await using outside = client()
    const hanging = new AbortController()
    const held = Array.from({ length: 256 }, () =>
      outside.post(dead.url(), 60_000, hanging.signal).catch(() => null),
    )
    await expect.poll(() => dead.open).toBe(256)
    expect(await outside.post(dead.url(), SHORT_MS)).toMatchObject(failed('timed_out', 'no free connection'))
    hanging.abort()
    await Promise.all(held)
  })
})

describe('a connection', () => {
  test('is reused, with the host name of the request', async () => {
    await using receiver = await Receiver.start(responds(OK))
    let lookups = 0
    await using outside = client({
      resolve: async () => {
        lookups++
        return ['127.0.0.1']
      },
    })
    for (let i = 0; i < 20; i++) await outside.post(receiver.url('/hook?x=1', 'hooks.example.com'))
    expect(receiver.connections).toBe(1)
    expect(lookups).toBe(1)
    expect(receiver.heads[19]).toContain(`host: hooks.example.com:${receiver.port}\r\n`)
    expect(receiver.heads[19]).toContain('POST /hook?x=1 HTTP/1.1\r\n')
  })

  test('is reused after a 100 that the receiver sends before each answer', async () => {
    await using receiver = await Receiver.start(responds(CONTINUE + OK))
    await using outside = client()
    for (let i = 0; i < 20; i++) expect(await outside.post(receiver.url())).toMatchObject(answered(200, 'ok'))
    expect(receiver.connections).toBe(1)
  })

  test.each([
    ['resets', (socket: Socket) => void socket.resetAndDestroy()],
    ['closes', (socket: Socket) => void socket.end()],
  ])('that the receiver %s when it is used again is replaced by a new one at once', async (_how, end) => {
    const used = new WeakSet<Socket>()
    await using receiver = await Receiver.start((socket) => {
      if (used.has(socket)) return end(socket)
      used.add(socket)
      socket.write(OK)
    })
    await using outside = client()
    for (const _ of [1, 2, 3, 4])
      expect(await outside.post(receiver.url())).toMatchObject(answered(200, 'ok'))
    // Each request after the first arrives twice: on the old connection and on a new one.
    expect([receiver.connections, receiver.heads.length]).toEqual([4, 7])
  })

  test('is replaced after its lifetime, and the new address is checked', async () => {
    await using receiver = await Receiver.start(responds(OK))
    const answers = ['127.0.0.1', '8.8.8.8']
    await using outside = client({
      lifetimeMs: 50,
      resolve: () => Promise.resolve([answers.shift() ?? '10.0.0.1']),
    })
    const url = receiver.url('/', 'hooks.example.com')
    expect(await outside.post(url)).toMatchObject(answered(200, 'ok'))
    await expect.poll(() => receiver.open).toBe(0)
    answers.shift()
    expect(await outside.post(url)).toMatchObject(failed('blocked', 'hooks.example.com (10.0.0.1)'))
  })

  test('finishes its request before its lifetime ends it', async () => {
    const answers: (() => void)[] = []
    await using receiver = await Receiver.start((socket) => {
      answers.push(() => socket.write(OK))
    })
    await using outside = client({ lifetimeMs: 1 })
    const waiting = outside.post(receiver.url())
    await expect.poll(() => answers.length).toBe(1)
    answers[0]?.()
    expect(await waiting).toMatchObject(answered(200, 'ok'))
    await expect.poll(() => receiver.open).toBe(0)
  })

  test('tries the next address if one is dead', async () => {
    await using receiver = await Receiver.start(responds(OK))
    await using outside = client({ resolve: () => Promise.resolve(['127.0.0.9', '127.0.0.1']) })
    expect(await outside.post(receiver.url('/', 'hooks.example.com'))).toMatchObject(answered(200, 'ok'))
  })

  test('times out after 5 seconds of name resolution or TLS handshake', async () => {
    await using silent = await Receiver.start(() => undefined)
    await using unresolved = client({ resolve: () => new Promise(() => undefined) })
    await using outside = client()
    const answers = await Promise.all([
      unresolved.post('https://hooks.example.com/'),
      outside.post(silent.url().replace('http:', 'https:')),
    ])
    expect(answers).toMatchObject([
      failed('timed_out', 'the host name was not resolved within 5 s'),
      failed('timed_out', 'took longer than 5 s'),
    ])
    await expect.poll(() => silent.open).toBe(0)
  })

  test('is not opened if the name cannot be resolved', async () => {
    const failing = Object.assign(new Error('queryA ESERVFAIL'), { code: 'ESERVFAIL' })
    await using outside = client({ resolve: () => Promise.reject(failing) })
    expect(await outside.post('https://hooks.example.com/')).toMatchObject(
      failed('unreachable', 'the name server failed (ESERVFAIL)'),
    )
    await using empty = client({ resolve: () => Promise.resolve([]) })
    expect(await empty.post('https://hooks.example.com/')).toMatchObject(failed('unreachable', 'no address'))
  })
})

describe('a receiver with TLS', () => {
  const year = (n: number) => new Date(Date.UTC(n, 0, 1))
  const good = certificateFor({ name: 'hooks.test', from: year(2020), until: year(2049) })
  const expired = certificateFor({ name: 'hooks.test', from: year(2018), until: year(2019) })
  const early = certificateFor({ name: 'hooks.test', from: year(2048), until: year(2049) })
  const resolve = () => Promise.resolve(['127.0.0.1'])

  test('gets the host name of the URL and answers', async () => {
    await using receiver = await Receiver.start(responds(OK), good)
    await using outside = client({ resolve, ca: good.cert })
    expect(await outside.post(receiver.url('/', 'hooks.test'))).toMatchObject(answered(200, 'ok'))
  })

  test.each([
    ['is self-signed', good, undefined, 'hooks.test', 'self-signed'],
    ['is of another name', good, good.cert, 'other.test', 'for another name'],
    ['has expired', expired, expired.cert, 'hooks.test', 'has expired (CERT_HAS_EXPIRED)'],
    ['is not valid yet', early, early.cert, 'hooks.test', 'not valid yet'],
  ])('whose certificate %s gets no request', async (_, certificate, ca, host, reason) => {
    await using receiver = await Receiver.start(responds(OK), certificate)
    await using outside = client({ resolve, ...(ca ? { ca } : {}) })
    expect(await outside.post(receiver.url('/', host))).toMatchObject(failed('unreachable', reason))
    expect(receiver.heads).toEqual([])
  })

  test('that does not speak TLS gets no request', async () => {
    const plain = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
    await once(plain.listen(0, '127.0.0.1'), 'listening')
    await using outside = client({ resolve })
    const url = `https://hooks.test:${(plain.address() as AddressInfo).port}/`
    expect(await outside.post(url)).toMatchObject(failed('unreachable', 'does not speak TLS'))
    plain.close()
  })
})

describe('the client', () => {
  test('throws the reason of its signal, before and during a request', async () => {
    await using receiver = await Receiver.start(() => undefined)
    await using outside = client()
    await expect(outside.post(receiver.url(), 15_000, AbortSignal.abort(new Error('over')))).rejects.toThrow(
      'over',
    )
    const stop = new AbortController()
    const waiting = outside.post(receiver.url(), 15_000, stop.signal)
    await expect.poll(() => receiver.heads.length).toBe(1)
    stop.abort(new Error('stop'))
    await expect(waiting).rejects.toThrow('stop')
  })

  test('adds one listener to a signal that many requests share', async () => {
    await using receiver = await Receiver.start(() => undefined)
    await using outside = client()
    const stop = new AbortController()
    const waiting = Array.from({ length: 50 }, () => outside.post(receiver.url(), 15_000, stop.signal))
    expect(getEventListeners(stop.signal, 'abort')).toHaveLength(1)
    stop.abort(new Error('stop'))
    for (const one of await Promise.allSettled(waiting)) expect(one.status).toBe('rejected')
  })

  test('aborts open requests when it is closed', async () => {
    await using receiver = await Receiver.start(() => undefined)
    const outside = client()
    const waiting = outside.post(receiver.url())
    await expect.poll(() => receiver.heads.length).toBe(1)
    await outside[Symbol.asyncDispose]()
    expect(await waiting).toMatchObject(failed('unreachable', 'the service is stopping'))
  })
})
