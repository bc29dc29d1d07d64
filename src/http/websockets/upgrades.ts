import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Logger } from '../../platform/logging/log.ts'
import { type AllowedOrigins, mayConnect } from '../cors.ts'
import { parseUrl } from '../../platform/parse-url.ts'

type Upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => void

interface UpgradeOptions {
  /** Where websockets are. */
  readonly path: string
  readonly origins: AllowedOrigins
  readonly log: Logger
  /** Opens a websocket. */
  readonly open: Upgrade
}

/**
 * Answers every request to upgrade: a websocket at its path opens, one elsewhere or of a foreign page is refused, and
 * an upgrade to any other protocol is ignored (RFC 9110, 7.8). Node hands over the bare socket, so nobody else
 * listens to its errors. Returns how to stop.
 */
export function answerUpgrades(
  server: Server,
  { path, origins, log, open }: UpgradeOptions,
): { stop(): void } {
  let isStopped = false
  const upgrade: Upgrade = (request, socket, head) => {
    const note = (err: Error) => log.debug({ err }, 'a socket failed before it was upgraded')
    socket.on('error', note)
    afterEarlierAnswers(socket, () => {
      if (isStopped) return void socket.destroy()
      if (request.headers.upgrade?.toLowerCase() !== 'websocket') {
        serveWithoutUpgrade(server, request, socket, head)
        // The server listens again; the next upgrade of this connection comes here anew.
        return void socket.off('error', note)
      }
      const refusal = refusalOf(request, path, origins)
      if (refusal === null) return open(request, socket, head)
      refuse(socket, refusal)
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

/** The server no longer counts the socket as its own, and would wait for it for ever when it closes. */
function refuse(socket: Duplex, status: string): void {
  socket.resume()
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`, () => socket.destroy())
}

function refusalOf(request: IncomingMessage, path: string, origins: AllowedOrigins): string | null {
  const url = parseUrl(request.url ?? '/', 'http://localhost')
  if (!url) return '400 Bad Request'
  if (url.pathname !== path) return '404 Not Found'
  return mayConnect(request, origins) ? null : '403 Forbidden'
}

/** A pipelined request is answered after those before it, whose answer still owns the socket. */
function afterEarlierAnswers(socket: Duplex, then: () => void): void {
  const { _httpMessage: earlier } = socket as Duplex & { _httpMessage?: ServerResponse | null }
  if (earlier) return void earlier.once('close', () => afterEarlierAnswers(socket, then))
  if (!socket.destroyed) then()
}

/** Gives the connection back to the server with the same request, less its wish to upgrade. */
function serveWithoutUpgrade(server: Server, request: IncomingMessage, socket: Duplex, rest: Buffer): void {
  const head = Buffer.from(headWithoutUpgrade(request), 'latin1')
  socket.unshift(Buffer.concat([head, rest]))
  server.emit('connection', socket)
}

const UPGRADE_HEADERS = new Set(['upgrade', 'http2-settings'])

function headWithoutUpgrade({ method, url, httpVersion, rawHeaders }: IncomingMessage): string {
  const lines = [`${method} ${url} HTTP/${httpVersion}`]
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = rawHeaders.slice(at, at + 2)
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
