import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { type Certificate, certificateFor } from '../../support/outbound-http/certificate.ts'
import { type Behaviour, Receiver } from '../../support/outbound-http/raw-receiver.ts'
import { lastingPort } from '../support/distributed-service.ts'
import { drips, floods, lures, redirects, description } from './behaviours.ts'
import type { Canaries } from './canaries.ts'
import type { Waves } from './waves.ts'

/** Address of the receivers: the only one that webhooks may go to. */
export const PERMITTED = '127.1.0.1'
const FORBIDDEN = '127.0.0.1'

/** Shared state of hostile receivers. */
export interface Scene {
  readonly waves: Waves
  readonly canaries: Canaries
  /** Port of the canary at the permitted address. */
  readonly permittedCanary: number
}

export interface Opened extends AsyncDisposable {
  readonly url: string
}

/** A hostile receiver and its expected delivery log. */
export interface Kind {
  readonly does: string
  /** Whether it leaves requests open until the service times out. */
  readonly hangs?: true
  /** Each attempt matches one of these, and each of these matches an attempt. */
  readonly log: readonly RegExp[]
  open(scene: Scene, number: number): Promise<Opened>
}

const LATE = /^PENDING TIMED_OUT the server did not answer within 15 s$/
const ONCE = 'HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n'
const NAMED = { name: 'somebody.else.test', from: new Date(0), until: new Date('2049-01-01') }

/** Returns a kind at the permitted address that leaves requests open and reports each. */
const hanging = (does: string, make: (hang: Behaviour) => Behaviour, log: readonly RegExp[]): Kind => ({
  does,
  hangs: true,
  log,
  open: async ({ waves }) => opened(await start(make((socket) => waves.hang(does, socket)))),
})

const answering = (does: string, make: (scene: Scene) => Behaviour, log: readonly RegExp[]): Kind => ({
  does,
  log,
  open: async (scene) => opened(await start(make(scene))),
})

const start = (behaviour: Behaviour, certificate?: Certificate): Promise<Receiver> =>
  Receiver.start(behaviour, certificate, PERMITTED)

const opened = (receiver: Receiver, url = receiver.url('/hook', PERMITTED)): Opened => ({
  url,
  [Symbol.asyncDispose]: () => receiver[Symbol.asyncDispose](),
})

const nobody = (url: string): Opened => ({ url, [Symbol.asyncDispose]: () => Promise.resolve() })

/** Returns a kind that receives TLS handshakes and does not support TLS. */
const withoutTls = (does: string, greet: (socket: Socket) => void, log: readonly RegExp[]): Kind => ({
  does,
  log,
  async open() {
    const sockets = new Set<Socket>()
    const server = createServer((socket) => {
      sockets.add(socket.on('error', () => undefined).resume())
      greet(socket)
    })
    await once(server.listen(0, PERMITTED), 'listening')
    return {
      url: `https://${PERMITTED}:${(server.address() as AddressInfo).port}/hook`,
      async [Symbol.asyncDispose]() {
        for (const socket of sockets) socket.destroy()
        await new Promise((done) => server.close(done))
      },
    }
  },
})

/**
 * Opens a receiver at the permitted address and a canary on the same port. The name resolves to the receiver
 * only once.
 */
async function rebound({ canaries }: Scene, number: number): Promise<Opened> {
  const port = await canaries.listenBeside(FORBIDDEN)
  const receiver = await Receiver.start(description(ONCE), undefined, PERMITTED, port)
  return opened(receiver, receiver.url('/hook', `rebound-${number}.test`))
}

/** Returns the address of a name at its nth lookup. */
export const addressOf = (name: string, turn: number): string | null => {
  if (name.startsWith('silent')) return null
  return name.startsWith('rebound') && turn === 0 ? PERMITTED : FORBIDDEN
}

const BLOCKED = (name: string) =>
  new RegExp(`^PENDING BLOCKED ${name}-\\d+\\.test \\(127\\.0\\.0\\.1\\) is a loopback address; `)

export const kinds: readonly Kind[] = [
  hanging('never responds', (hang) => hang, [LATE]),
  hanging('sends its headers a byte a second', (hang) => drips('HTTP/1.1 200 OK\r\nx: ', hang), [LATE]),
  hanging('sends its body a byte a second, forever', (hang) => drips('HTTP/1.1 200 OK\r\n\r\n', hang), [
    /^DELIVERED ANSWERED 200, body of \d+$/,
  ]),
  hanging('responds to some requests, then to none', lures, [LATE, /^DELIVERED ANSWERED 204$/]),
  answering('streams for ever', () => floods, [/^DELIVERED ANSWERED 200, body of 16384$/]),
  answering('answers 500', () => description('HTTP/1.1 500 No\r\ncontent-length: 4\r\n\r\nhelp'), [
    /^PENDING ANSWERED 500, body of 4$/,
  ]),
  answering('resets the connection', () => (socket) => socket.resetAndDestroy(), [
    /^PENDING UNREACHABLE the server reset the connection/,
  ]),
  answering('is no web server', () => (socket) => socket.end('220 mail.test ESMTP\r\n'), [
    /^PENDING UNREACHABLE the response is not HTTP/,
  ]),
  answering('redirects to a private address', ({ canaries: { port } }) => redirects(302, port, FORBIDDEN), [
    /^PENDING ANSWERED 302 to http:\/\/127\.0\.0\.1:\d+\/$/,
  ]),
  answering(
    'redirects to a permitted address',
    ({ permittedCanary: port }) => redirects(307, port, PERMITTED),
    [/^PENDING ANSWERED 307 to http:\/\/127\.1\.0\.1:\d+\/$/],
  ),
  {
    does: 'refuses connections',
    log: [/^PENDING UNREACHABLE the server refused the connection/],
    open: async () => nobody(`http://${PERMITTED}:${await lastingPort()}/hook`),
  },
  {
    does: 'has a self-signed certificate',
    log: [/^PENDING UNREACHABLE the certificate of the server is self-signed/],
    open: async () => opened(await start(description('HTTP/1.1 204 No\r\n\r\n'), certificateFor(NAMED))),
  },
  withoutTls('does not support TLS', (socket) => socket.end('HTTP/1.1 400 No\r\n\r\n'), [
    /^PENDING UNREACHABLE the server does not speak TLS/,
  ]),
  withoutTls('does not respond to a TLS handshake', () => undefined, [
    /^PENDING TIMED_OUT connecting to the server took longer than 5 s$/,
  ]),
  {
    does: 'is at 127.0.0.1 after the first lookup',
    log: [/^DELIVERED ANSWERED 204$/, BLOCKED('rebound')],
    open: rebound,
  },
  {
    does: 'has a name for 127.0.0.1',
    log: [BLOCKED('private')],
    open: async ({ canaries }, number) => nobody(`http://private-${number}.test:${canaries.port}/hook`),
  },
  {
    does: 'has a name without a DNS response',
    log: [
      /^PENDING (UNREACHABLE the host name could not be resolved|TIMED_OUT the host name was not resolved)/,
    ],
    open: async ({ canaries }, number) => nobody(`http://silent-${number}.test:${canaries.port}/hook`),
  },
]
