import { connect } from 'node:net'
import { type Attack, type Target, urlOf } from './attack.ts'

/** Attacks by connections that withhold bytes. */

const SMALL = { vehicles: 1, tripsPerVehicle: 1 }
const BODY_BYTES = 2_000_000
const WITHHELD_BYTES = 10
/** New connections at a time, so that the queue of the listening socket suffices. */
const AT_ONCE = 50

interface SlowRequest {
  readonly connections: number
  /** Bytes that are sent at once. */
  readonly head: string
  /** Body that follows the head, without its end. */
  readonly body?: Buffer
  /** Text that is sent again and again, once a second. */
  readonly drip?: string
}

/** Holds connections until the service closes them, or the attack is over. */
async function hold(
  target: Target,
  slow: SlowRequest,
  count: (answer: string) => void,
  isOver: () => boolean,
): Promise<void> {
  const held: Promise<void>[] = []
  for (let from = 0; from < slow.connections && !isOver(); from += AT_ONCE) {
    const opened = Array.from({ length: Math.min(AT_ONCE, slow.connections - from) }, (_, at) =>
      holdOne(target, from + at, slow, isOver),
    )
    await Promise.all(opened.map(({ connected }) => connected))
    held.push(...opened.map(async ({ answer }) => count(await answer)))
  }
  await Promise.all(held)
}

function holdOne(target: Target, number: number, { head, body, drip }: SlowRequest, isOver: () => boolean) {
  const { hostname, port } = new URL(urlOf(target, number))
  const socket = connect({ host: hostname, port: Number(port), localAddress: target.localAddress })
  let received = ''
  const connected = new Promise<void>((resolve) => {
    socket.once('connect', () => {
      socket.write(head)
      if (body) socket.write(body)
      resolve()
    })
    socket.once('close', () => resolve())
  })
  const timer = setInterval(() => {
    if (isOver()) socket.destroy()
    else if (drip !== undefined) socket.write(drip)
  }, 1000)
  socket.on('data', (data) => (received += data.toString('latin1')))
  // The service may close or reset the connection while the attacker writes.
  socket.on('error', () => undefined)
  const answer = new Promise<string>((resolve) => {
    socket.once('close', () => {
      clearInterval(timer)
      const status = /^HTTP\/1\.1 (\d+)/.exec(received)?.[1]
      resolve(status ?? (isOver() ? 'held to the end' : 'closed without an answer'))
    })
  })
  return { connected, answer }
}

const withheldPost = (headers: readonly string[]): SlowRequest => ({
  connections: 2200,
  head: [
    'POST /graphql HTTP/1.1',
    'Host: 127.0.0.1',
    'Content-Type: application/json',
    `Content-Length: ${BODY_BYTES}`,
    ...headers,
    '\r\n',
  ].join('\r\n'),
  body: Buffer.alloc(BODY_BYTES - WITHHELD_BYTES, ' '),
})

const slowHeaders: SlowRequest = {
  connections: 3000,
  head: 'GET /tsp/v1/vehicles HTTP/1.1\r\nHost: 127.0.0.1\r\n',
  drip: 'x-a: b\r\n',
}

export const connectionAttacks: readonly Attack[] = [
  {
    name: 'A3',
    description: '2,200 connections without credentials that withhold the end of a body of 2 MB',
    fleet: SMALL,
    seconds: 30,
    permitted: /^401$|^closed without an answer$/,
    required: [/^401$/],
    run: (target, count, isOver) => hold(target, withheldPost([]), count, isOver),
  },
  {
    name: 'A3, with key',
    description: '2,200 connections with a valid key that withhold the end of a body of 2 MB',
    fleet: SMALL,
    seconds: 40,
    permitted: /^(408|413|429|503)$|^closed without an answer$/,
    required: [/^503$/],
    run: (target, count, isOver) =>
      hold(target, withheldPost([`Authorization: Bearer ${target.secretKey}`]), count, isOver),
  },
  {
    name: 'A11',
    description: '3,000 connections that send their headers a few bytes a second',
    fleet: SMALL,
    seconds: 20,
    permitted: /^408$|^closed without an answer$/,
    required: [/^408$/],
    run: (target, count, isOver) => hold(target, slowHeaders, count, isOver),
  },
]
