import type { IncomingMessage } from 'node:http'
import { CloseCode, type Server } from 'graphql-ws'
import type { RawData, WebSocket } from 'ws'
import type { Logger } from '../../platform/logging/log.ts'
import { MAX_DEPTH } from '../bodies/json-body.ts'
import { ActiveOperations } from './active-operations.ts'

/** Interval of pings. A socket without a pong to the last one is terminated. */
const KEEP_ALIVE_MS = 12_000

/** What graphql-ws passes to each callback. */
export interface SocketExtra {
  readonly socket: WebSocket
  readonly request: IncomingMessage
  readonly active: ActiveOperations
}

/** Connects a websocket to graphql-ws. */
export function connectSocket(
  server: Server<SocketExtra>,
  socket: WebSocket,
  request: IncomingMessage,
  log: Logger,
): void {
  const active = new ActiveOperations()
  const stopPings = pingUntilLost(socket)
  const receive = async (data: RawData, handle: (text: string) => Promise<void>) => {
    const message = active.incoming(String(data))
    if (message === null) return
    if (message === 'nested')
      return socket.close(CloseCode.BadRequest, `Message nested deeper than ${MAX_DEPTH} levels`)
    if (message === 'unexpected')
      return socket.close(CloseCode.BadRequest, 'Message of a type that only servers send')
    if (message === 'duplicate')
      return socket.close(CloseCode.SubscriberAlreadyExists, 'Subscriber already exists')
    try {
      await handle(message.text)
    } catch (err) {
      log.error({ err }, 'websocket message failed')
      socket.close(CloseCode.InternalServerError, 'Internal server error')
    } finally {
      message.onHandled()
    }
  }
  const closed = server.opened(
    {
      protocol: socket.protocol,
      send: (text) => sendText(socket, active.outgoing(text)),
      close: (code, reason) => socket.close(code, reason),
      onMessage: (handle) => socket.on('message', (data) => void receive(data, handle)),
    },
    { socket, request, active },
  )
  socket.once('close', (code, reason) => {
    stopPings()
    active.end()
    closed(code, String(reason)).catch((err: unknown) => log.error({ err }, 'websocket close failed'))
  })
  // After invalid data of a client, `ws` closes the socket with a code. The error needs no other handling.
  socket.on('error', (err) => log.debug({ err }, 'websocket failed'))
}

const sendText = (socket: WebSocket, text: string | null): Promise<void> =>
  new Promise((resolve, reject) => {
    if (text === null || socket.readyState !== socket.OPEN) return resolve()
    socket.send(text, (error) => (error ? reject(error) : resolve()))
  })

/** Pings regularly, and terminates the socket if a pong is missing. Returns a function that stops the pings. */
function pingUntilLost(socket: WebSocket): () => void {
  let isAlive = true
  socket.on('pong', () => (isAlive = true))
  const interval = setInterval(() => {
    if (!isAlive) return socket.terminate()
    isAlive = false
    if (socket.readyState === socket.OPEN) socket.ping()
  }, KEEP_ALIVE_MS)
  return () => clearInterval(interval)
}
