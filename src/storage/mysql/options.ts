import { type Connection, createConnection, createPool, type ConnectionOptions, type Pool } from 'mysql2'
import type { DataSourceOptions } from 'typeorm'
import type { MysqlServer } from '../../platform/config/mysql-url.ts'
import type { FailoverNodes, NodeAddress } from './failover.ts'

const CONNECT_MS = 2000

/** Time limit for the connection of migrations. It is longer, because no caller waits. */
const MIGRATION_CONNECT_MS = 20_000

/** Maximum number of callers that wait for a connection. Further callers would only wait until their time-out. */
const MAX_QUEUED = 1000

/** Returns how the database driver connects to a server, and which types its values have. */
export const connectionOptions = ({ tls, ...server }: MysqlServer): ConnectionOptions => ({
  ...server,
  ...(tls && { ssl: { ...tls } }),
  charset: 'utf8mb4',
  timezone: 'Z',
  supportBigNumbers: true,
  bigNumberStrings: false,
  stringifyObjects: true,
  connectTimeout: CONNECT_MS,
})

/** Returns the options of TypeORM, which runs migrations on a connection of its own. */
export const typeormOptions = (
  server: MysqlServer,
): Extract<DataSourceOptions, { type: 'mysql' | 'mariadb' }> => ({
  type: 'mysql',
  database: server.database,
  poolSize: 1,
  extra: { ...connectionOptions(server), connectTimeout: MIGRATION_CONNECT_MS },
})

/** Creates a connection pool for one server, or for the current node of a cluster. */
export function openPool(server: MysqlServer, poolSize: number, nodes: FailoverNodes | null = null): Pool {
  return createPool({
    ...connectionOptions(server),
    connectionLimit: poolSize,
    queueLimit: MAX_QUEUED,
    ...(nodes && { stream: ({ config }: { config: NodeAddress }) => nodes.openSocket(config) }),
  })
}

/**
 * Opens a connection outside the pool, which may be exhausted. It has no database, so that it needs no right to one.
 * `node` is null if the server is not a cluster.
 */
export const openConnection = (server: MysqlServer, node: Readonly<NodeAddress> | null): Connection => {
  const { database: _, ...options } = connectionOptions({ ...server, ...node })
  return createConnection(options)
}
