import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { z } from 'zod'
import { parseServerUrl, requireEncodedUser } from './server-url.ts'

/** One server of a MySQL address, and how to connect to it. */
export interface MysqlServer {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly password: string
  readonly database: string
  /** Unix socket, which takes the place of host and port. */
  readonly socketPath: string | undefined
  /** Null: connections are not encrypted. */
  readonly tls: MysqlTls | null
}

/** TLS of a connection. Certificates and the key are PEM. */
interface MysqlTls {
  readonly rejectUnauthorized: boolean
  /** Whether the certificate has to name the host. */
  readonly verifyIdentity: boolean
  readonly ca?: string
  readonly cert?: string
  readonly key?: string
}

const MYSQL_PORT = 3306
const SSL_FILES = ['ssl-ca', 'ssl-cert', 'ssl-key']
const PARAMETERS = ['ssl-mode', ...SSL_FILES, 'ssl', 'socketPath']
/** Values of parameters, such as the path of a file. They may contain any character. */
const PARAMETER_VALUES = new RegExp(`(?<=[?&](?:${PARAMETERS.join('|')})=)[^&#]*`, 'g')
const SSL_MODES = ['DISABLED', 'REQUIRED', 'VERIFY_CA', 'VERIFY_IDENTITY']

/**
 * Parses `mysql://user:password@host:port/database?parameters`. Several hosts, as in `db1:3306,db2:3306`, are the nodes
 * of a cluster, in the order in which connections try them. The error for an invalid URL names the
 * fault, without the password.
 */
export function parseMysqlUrl(text: string): readonly [MysqlServer, ...MysqlServer[]] {
  requireEncodedUser(text.replace(PARAMETER_VALUES, ''))
  const [, start = '', hosts = '', end = ''] = /^(mysql:\/\/(?:[^@/]*@)?)([^/?#]*)(.*)$/s.exec(text) ?? []
  const [first, ...others] = hosts.split(',').map((host) => parseServer(`${start}${host}${end}`))
  if (others.length > 0 && first?.socketPath) throw new Error('socketPath names one server, so give one host')
  return [first as MysqlServer, ...others]
}

function parseServer(text: string): MysqlServer {
  const { user, password, host, port, path, parameters } = parseServerUrl(text, ['mysql:'])
  const unknown = [...parameters.keys()].find((name) => !PARAMETERS.includes(name))
  if (unknown !== undefined)
    throw new Error(`the parameter ${unknown} is unknown; the parameters are ${PARAMETERS.join(', ')}`)
  for (const name of new Set(parameters.keys())) {
    const [value, ...others] = parameters.getAll(name)
    if (others.length > 0) throw new Error(`give the parameter ${name} once`)
    if (value === '') throw new Error(`the parameter ${name} has no value`)
  }
  return {
    host,
    port: port ?? MYSQL_PORT,
    user,
    password,
    database: path,
    socketPath: parameters.get('socketPath') ?? undefined,
    tls: tlsOf(parameters, host),
  }
}

/**
 * Returns the TLS options. Each `ssl-mode` means what it means to MySQL's own clients. `ssl-ca` without a mode checks
 * the certificate, but not the host name.
 */
function tlsOf(parameters: URLSearchParams, host: string): MysqlTls | null {
  const ca = pemFile(parameters, 'ssl-ca')
  const mode = sslMode(parameters) ?? (ca === undefined ? 'DISABLED' : 'VERIFY_CA')
  const [used] = SSL_FILES.filter((name) => parameters.has(name))
  if (mode === 'DISABLED' && used !== undefined)
    throw new Error(`${used} has no effect without encryption; add ssl-mode=VERIFY_IDENTITY or leave it out`)
  if (parameters.has('ssl-cert') !== parameters.has('ssl-key'))
    throw new Error('give both ssl-cert and ssl-key, or neither')
  if (mode === 'DISABLED') return null
  if (mode === 'VERIFY_IDENTITY' && isIP(host))
    throw new Error(`${mode} needs the name of the host, not ${host}; or use ssl-mode=VERIFY_CA`)
  const cert = pemFile(parameters, 'ssl-cert')
  const key = pemFile(parameters, 'ssl-key')
  return {
    rejectUnauthorized: mode !== 'REQUIRED' || ca !== undefined,
    verifyIdentity: mode === 'VERIFY_IDENTITY',
    ...(ca !== undefined && { ca }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
  }
}

function sslMode(parameters: URLSearchParams): string | null {
  const mode = parameters.get('ssl-mode')?.toUpperCase()
  const ssl = parameters.get('ssl')
  if (mode !== undefined && ssl !== null) throw new Error('give ssl-mode or ssl, not both')
  if (ssl !== null) return modeOfSsl(ssl)
  if (mode === undefined) return null
  if (!SSL_MODES.includes(mode)) throw new Error(`ssl-mode must be one of ${SSL_MODES.join(', ')}`)
  return mode
}

const sslObject = z.strictObject({ rejectUnauthorized: z.boolean().default(true) })

/**
 * Returns the mode for the parameter `ssl`, which other MySQL clients for Node use. Its values are `true`, `false` and
 * `{"rejectUnauthorized":…}`.
 */
function modeOfSsl(ssl: string): string {
  if (ssl === 'true') return 'VERIFY_IDENTITY'
  if (ssl === 'false') return 'DISABLED'
  try {
    return sslObject.parse(JSON.parse(ssl)).rejectUnauthorized ? 'VERIFY_IDENTITY' : 'REQUIRED'
  } catch {
    throw new Error(
      'ssl must be true, false or {"rejectUnauthorized":true}; ssl-ca names a file of certificates',
    )
  }
}

function pemFile(parameters: URLSearchParams, name: string): string | undefined {
  const path = parameters.get(name)
  if (path === null) return undefined
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new Error(`${name}: cannot read ${path} (${(error as NodeJS.ErrnoException).code})`, {
      cause: error,
    })
  }
}
