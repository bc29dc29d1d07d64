import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Logger } from '../../platform/logging/log.ts'
import { type AllowedOrigins, mayConnect } from '../cors.ts'
import { parseUrl } from '../../platform/parse-url.ts'

type Upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => void

interface UpgradeOptions {
  /** Path of the websocket endpoint. */
  readonly path: string
  readonly origins: AllowedOrigins
  readonly log: Logger
  /** Completes the websocket handshake. */
  readonly open: Upgrade
}

/**
 * Handles upgrade requests. Opens websockets at the path. Rejects websockets at other paths, and from origins
 * that are not allowed. A request to upgrade to another protocol is served without the upgrade (RFC 9110, 7.8). Node no
 * longer listens to errors of the socket then, so this function must.
 */
export function handleUpgrades(
  server: Server,
  { path, origins, log, open }: UpgradeOptions,
): { stop(): void } {
  let isStopped = false
  const upgrade: Upgrade = (request, socket, head) => {
    const logError = (err: Error) => log.debug({ err }, 'socket failed before upgrade')
    socket.on('error', logError)
    afterEarlierResponses(socket, () => {
      if (isStopped) return void socket.destroy()
      if (request.headers.upgrade?.toLowerCase() !== 'websocket') {
        serveWithoutUpgrade(server, request, socket, head)
        // The server listens to errors of the socket again, and emits the next upgrade request of the
        // connection.
        return void socket.off('error', logError)
      }
      const status = rejectionStatus(request, path, origins)
      if (status === null) return open(request, socket, head)
      reject(socket, status)
    })
  }
  server.on('upgrade', upgrade)
  return {
    stop() {
      isStopped = true
      server.off('upgrade', upgrade)
    },
  }
}

/** Sends a status and destroys the socket, which the server no longer tracks and would never close. */
function reject(socket: Duplex, status: string): void {
  socket.resume()
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`, () => socket.destroy())
}

/** Returns the status with which a websocket request is rejected; null if it is allowed. */
function rejectionStatus(request: IncomingMessage, path: string, origins: AllowedOrigins): string | null {
  const url = parseUrl(request.url ?? '/', 'http://localhost')
  if (!url) return '400 Bad Request'
  if (url.pathname !== path && url.pathname !== `${path}/`) return '404 Not Found'
  return mayConnect(request, origins) ? null : '403 Forbidden'
}

/** Calls back after the responses to earlier pipelined requests, which own the socket until they are sent. */
function afterEarlierResponses(socket: Duplex, callback: () => void): void {
  const { _httpMessage: earlier } = socket as Duplex & { _httpMessage?: ServerResponse | null }
  if (earlier) return void earlier.once('close', () => afterEarlierResponses(socket, callback))
  if (!socket.destroyed) callback()
}

/** Gives the connection back to the server, with the same request but without its upgrade headers. */
function serveWithoutUpgrade(server: Server, request: IncomingMessage, socket: Duplex, rest: Buffer): void {
  const head = Buffer.from(headWithoutUpgrade(request), 'latin1')
  socket.unshift(Buffer.concat([head, rest]))
  server.emit('connection', socket)
}

const UPGRADE_HEADERS = new Set(['upgrade', 'http2-settings'])

function headWithoutUpgrade({ method, url, httpVersion, rawHeaders }: IncomingMessage): string {
  const lines = [`${method} ${url} HTTP/${httpVersion}`]
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = rawHeaders.slice(index, index + 2)
    if (UPGRADE_HEADERS.has(name.toLowerCase())) continue
    lines.push(`${name}: ${name.toLowerCase() === 'connection' ? withoutUpgrade(value) : value}`)
  }
  return `${lines.join('\r\n')}\r\n\r\n`
}

const withoutUpgrade = (connection: string): string =>
  connection
    .split(',')
    .filter((token) => !UPGRADE_HEADERS.has(token.trim().toLowerCase()))
    .join(',')
