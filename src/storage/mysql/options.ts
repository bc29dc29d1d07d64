import { connect } from 'node:net'
import type { DataSourceOptions } from 'typeorm'
import { mysqlOptions } from '../sql/dialect.ts'
import type { ServerOptions } from '../store.ts'
import type { Host, FailoverHosts } from './failover.ts'

const CONNECT_MS = 2000

/** So many may wait for a connection; more would only wait to be told that it takes too long. */
const MAX_QUEUED = 1000

interface DriversConfig {
  readonly config: Host
}

/** How TypeORM reaches a MySQL or MariaDB server, the nodes of a cluster, and what replicates from them. */
export function sourceOptions(
  primaries: readonly string[],
  hosts: FailoverHosts | null,
  { poolSize, replicaUrls }: ServerOptions,
): DataSourceOptions {
  const url = String(primaries[0])
  const first = hostIn(url)
  const open = ({ config }: DriversConfig) =>
    hosts && isSame(config, first) ? hosts.open() : connect(config.port, config.host)
  return {
    ...mysqlOptions(url, poolSize),
    connectTimeout: CONNECT_MS,
    extra: { queueLimit: MAX_QUEUED, ...(hosts ? { stream: open } : {}) },
    ...(replicaUrls.length === 0 ? { url } : { replication: replication(url, replicaUrls) }),
  }
}

/** The driver is to leave no server out by itself: it would leave out the primary as well. */
const replication = (url: string, replicaUrls: readonly string[]) => ({
  master: { url },
  slaves: replicaUrls.map((replica) => ({ url: replica })),
  canRetry: false,
  removeNodeErrorCount: Infinity,
})

const MYSQL_PORT = 3306

export function hostIn(url: string): Host {
  const { hostname, port } = new URL(url)
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || MYSQL_PORT) }
}

const isSame = (one: Host, other: Host) => one.host === other.host && one.port === other.port
