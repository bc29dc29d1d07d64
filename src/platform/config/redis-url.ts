import { parseServerUrl, requireEncodedUser } from './server-url.ts'

/** How to connect to a Redis server, as options of the driver. */
interface RedisServer {
  readonly host: string
  readonly port: number
  readonly username: string
  readonly password: string
  readonly db: number
  /** Without it, connections are not encrypted. */
  readonly tls?: object
}

const REDIS_PORT = 6379

/**
 * Parses `redis://user:password@host:port/database`, or `rediss://` for TLS. The error for an invalid URL names the
 * fault, without the password.
 */
export function parseRedisUrl(text: string): RedisServer {
  requireEncodedUser(text)
  const { protocol, user, password, host, port, path, parameters } = parseServerUrl(text, [
    'redis:',
    'rediss:',
  ])
  if (host === '') throw new Error('must name a host, as in redis://host:6379')
  if (parameters.size > 0) throw new Error('must not have parameters (?)')
  if (!/^\d{0,9}$/.test(path))
    throw new Error('the database after the host must be a whole number, as in redis://host:6379/1')
  return {
    host,
    port: port ?? REDIS_PORT,
    username: user,
    password,
    db: Number(path),
    ...(protocol === 'rediss:' && { tls: {} }),
  }
}
