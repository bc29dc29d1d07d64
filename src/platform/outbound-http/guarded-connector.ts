import { once } from 'node:events'
import { connect as connectTcp, isIP, isIPv6, type LookupFunction, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { callbackify } from 'node:util'
import type { buildConnector } from 'undici'
import { dropInterimResponses } from './interim-responses.ts'
import type { SsrfGuard } from './ssrf-guard.ts'
import { BlockedAddress, TimedOut, Unreachable } from './errors.ts'

/** Resolves a host name to all its addresses. */
export type ResolveName = (host: string) => Promise<readonly string[]>

export interface ConnectorOptions {
  readonly guard: SsrfGuard
  readonly resolve: ResolveName
  readonly ca?: string | undefined
}

/** Deadline for name resolution, connection and TLS handshake together. */
const CONNECT_MS = 5_000
/** Time after which the next of several addresses is tried. */
const NEXT_ADDRESS_MS = 1_000

/**
 * Connects for undici, only to addresses that the guard has just checked. The name is resolved once per
 * connection, and never between check and connect, so a changed DNS answer cannot bypass the check. One
 * blocked address blocks the whole name. A URL with a literal address takes the same path.
 */
export function guardedConnector(options: ConnectorOptions): buildConnector.connector {
  const connect = callbackify((target: buildConnector.Options) => openSocket(target, options))
  return (target, done) =>
    connect(target, (error, socket) => (error ? done(error, null) : done(null, socket)))
}

async function openSocket(target: buildConnector.Options, options: ConnectorOptions): Promise<Socket> {
  const deadline = new AbortController()
  const timer = setTimeout(() => deadline.abort(), CONNECT_MS)
  try {
    const addresses = await checkedAddresses(target, options, deadline.signal)
    return await socketTo(target, addresses, options.ca, deadline.signal)
  } catch (error) {
    throw error instanceof BlockedAddress || error instanceof TimedOut ? error : new Unreachable(error)
  } finally {
    clearTimeout(timer)
  }
}

async function checkedAddresses(
  { hostname, protocol }: buildConnector.Options,
  { guard, resolve }: ConnectorOptions,
  deadline: AbortSignal,
): Promise<readonly string[]> {
  const addresses = isIP(hostname) === 0 ? await beforeDeadline(resolve(hostname), deadline) : [hostname]
  if (addresses.length === 0) throw new Error('the host name has no address')
  const refusal = guard.addresses(hostname, addresses, protocol)
  if (refusal) throw new BlockedAddress(refusal)
  return addresses
}

async function beforeDeadline<T>(work: Promise<T>, deadline: AbortSignal): Promise<T> {
  const late = new TimedOut(`the host name was not resolved within ${CONNECT_MS / 1000} s`)
  return Promise.race([
    work,
    new Promise<never>((_, reject) => deadline.addEventListener('abort', () => reject(late), { once: true })),
  ])
}

async function socketTo(
  { hostname, port, protocol, servername }: buildConnector.Options,
  addresses: readonly string[],
  ca: string | undefined,
  deadline: AbortSignal,
): Promise<Socket> {
  const secure = protocol === 'https:'
  const endpoint = {
    host: hostname,
    port: Number(port || (secure ? 443 : 80)),
    lookup: fixedLookup(addresses),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_MS,
    noDelay: true,
  }
  const name = servername || (isIP(hostname) === 0 ? hostname.replace(/\.$/, '') : '')
  const socket = secure
    ? connectTls({ ...endpoint, servername: name, ALPNProtocols: ['http/1.1'], ...(ca ? { ca } : {}) })
    : connectTcp(endpoint)
  // undici listens for errors only from the first request on. An error before that would be uncaught.
  socket.on('error', () => undefined)
  try {
    await once(socket, secure ? 'secureConnect' : 'connect', { signal: deadline })
    dropInterimResponses(socket)
    return socket
  } catch (error) {
    socket.destroy()
    throw deadline.aborted
      ? new TimedOut(`connecting to the server took longer than ${CONNECT_MS / 1000} s`)
      : error
  }
}

const fixedLookup =
  (addresses: readonly string[]): LookupFunction =>
  (_host, { all }, done) => {
    const found = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }))
    if (all) done(null, found)
    else done(null, found[0]?.address ?? '', found[0]?.family)
  }
