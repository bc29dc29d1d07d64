import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { Random } from '../../fuzz/random.ts'

/** Endings of a client connection: wait for the response, reset, half-close, close, or hold for a while. */
export const endings = ['wait', 'reset', 'half-close', 'close', 'hold'] as const
export type Ending = (typeof endings)[number]

const MAX_WAIT_MS = 300

/** Sends bytes over a new connection and ends it in one of the ways. Returns the response bytes. */
export async function sendRaw(address: URL, bytes: Buffer, ending: Ending, random: Random): Promise<string> {
  // Uses several client addresses: limits per address are not the subject of this proof.
  const localAddress = `127.0.0.${1 + random.below(200)}`
  const socket = connect({ host: address.hostname, port: Number(address.port), localAddress })
  let answer = ''
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  socket.on('data', (chunk) => (answer += String(chunk)))
  // A server may reset invalid connections.
  socket.on('error', () => undefined)
  await Promise.race([new Promise((resolve) => socket.once('connect', resolve)), closed])
  // The client may leave after any byte.
  const sent = ending === 'wait' ? bytes : bytes.subarray(0, 1 + random.below(bytes.length))
  for (const piece of piecesOf(sent, random)) await written(socket, piece)
  await leave(socket, ending, closed)
  return answer
}

function piecesOf(bytes: Buffer, random: Random): Buffer[] {
  if (random.chance(0.7)) return [bytes]
  const at = random.below(bytes.length + 1)
  return [bytes.subarray(0, at), bytes.subarray(at)]
}

const written = (socket: Socket, piece: Buffer): Promise<void> =>
  new Promise((resolve) => {
    if (socket.destroyed || piece.length === 0) return resolve()
    socket.write(piece, () => resolve())
  })

async function leave(socket: Socket, ending: Ending, closed: Promise<void>): Promise<void> {
  if (ending === 'reset') socket.resetAndDestroy()
  if (ending === 'half-close') socket.end()
  if (ending === 'close') socket.destroy()
  const noLonger = new AbortController()
  const most = wait(MAX_WAIT_MS, undefined, { signal: noLonger.signal }).catch(() => undefined)
  await Promise.race([closed, most, ...(ending === 'wait' ? [firstData(socket)] : [])])
  noLonger.abort()
  socket.destroy()
  await closed
}

const firstData = (socket: Socket): Promise<void> =>
  new Promise((resolve) => socket.once('data', () => resolve()))
