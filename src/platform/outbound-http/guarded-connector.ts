import { once } from 'node:events'
import { connect as connectTcp, isIP, isIPv6, type LookupFunction, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { callbackify } from 'node:util'
import type { buildConnector } from 'undici'
import type { SsrfGuard } from './ssrf-guard.ts'
import { BlockedAddress, TimedOut, Unreachable } from './errors.ts'

/** What a name stands for: every address of it. */
export type ResolveName = (host: string) => Promise<readonly string[]>

export interface ConnectorOptions {
  readonly guard: SsrfGuard
  readonly resolve: ResolveName
  readonly ca?: string | undefined
}

/** For the name, the connection and its encryption together. */
const CONNECT_MS = 5_000
/** How long one address of several is waited for until the next is tried. */
const NEXT_ADDRESS_MS = 1_000

/**
 * Connects for undici, to an address that was judged a moment ago and to no other: what a name stands for is asked once
 * for each connection, one address that is refused refuses them all, and nothing asks again between judging and
 * connecting. A URL that holds an address comes the same way.
 */
export function guardedConnector(connecting: ConnectorOptions): buildConnector.connector {
  const connect = callbackify((target: buildConnector.Options) => connected(target, connecting))
  return (target, done) =>
    connect(target, (error, socket) => (error ? done(error, null) : done(null, socket)))
}

async function connected(target: buildConnector.Options, connecting: ConnectorOptions): Promise<Socket> {
  const deadline = new AbortController()
  const timer = setTimeout(() => deadline.abort(), CONNECT_MS)
  try {
    const addresses = await checkedAddresses(target, connecting, deadline.signal)
    return await socketTo(target, addresses, connecting.ca, deadline.signal)
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
  const addresses = isIP(hostname) === 0 ? await inTime(resolve(hostname), deadline) : [hostname]
  if (addresses.length === 0) throw new Error('its name stands for no address')
  const refused = guard.addresses(hostname, addresses, protocol)
  if (refused) throw new BlockedAddress(refused)
  return addresses
}

async function inTime<T>(work: Promise<T>, deadline: AbortSignal): Promise<T> {
  const late = new TimedOut(`its name was not resolved within ${CONNECT_MS / 1000} s`)
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
  const to = {
    host: hostname,
    port: Number(port || (secure ? 443 : 80)),
    lookup: knownAnswer(addresses),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_MS,
    noDelay: true,
  }
  const name = servername || (isIP(hostname) === 0 ? hostname.replace(/\.$/, '') : '')
  const socket = secure
    ? connectTls({ ...to, servername: name, ALPNProtocols: ['http/1.1'], ...(ca ? { ca } : {}) })
    : connectTcp(to)
  // Nobody else listens between the moment of connecting and the first request.
  socket.on('error', () => undefined)
  try {
    await once(socket, secure ? 'secureConnect' : 'connect', { signal: deadline })
    return socket
  } catch (error) {
    socket.destroy()
    throw deadline.aborted
      ? new TimedOut(`it could not be connected to within ${CONNECT_MS / 1000} s`)
      : error
  }
}

const knownAnswer =
  (addresses: readonly string[]): LookupFunction =>
  (_host, { all }, done) => {
    const found = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }))
    if (all) done(null, found)
    else done(null, found[0]?.address ?? '', found[0]?.family)
  }
