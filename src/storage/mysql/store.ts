import { setTimeout } from 'node:timers/promises'
import type { Pool } from 'mysql2'
import { type MysqlServer, parseMysqlUrl } from '../../platform/config/mysql-url.ts'
import type { TimeLimit } from '../timeouts.ts'
import type { PoolUse } from '../database.ts'
import type { ServerOptions, Store } from '../store.ts'
import { FailoverNodes } from './failover.ts'
import { openConnection, openPool } from './options.ts'
import { replicasOf } from './replicas.ts'
import { Server } from './server.ts'
import { StatementKiller } from './statement-killer.ts'
import { waitBeforeRetry, transact } from './transactions.ts'

/** Maximum time for the first statement, connection included. */
const CONNECT_LIMIT_MS = 10_000

/** Pause before the next node of a cluster is tried. By then the failed socket has closed, which selects that node. */
const NEXT_NODE_MS = 50

/** Opens a MySQL or MariaDB server, or a cluster, with its read replicas. */
export async function openMysql(url: string, options: ServerOptions): Promise<Store> {
  const { poolSize, replicaUrls, maxStatementMs, log } = options
  const servers = parseMysqlUrl(url)
  const nodes = servers.length > 1 ? new FailoverNodes(servers) : null
  const pool = openPool(servers[0], poolSize, nodes)
  const serverOf = (address: MysqlServer, ownPool: Pool, ownNodes: FailoverNodes | null) => {
    const killer = new StatementKiller((node) => openConnection(address, node), log)
    return new Server(ownPool, { nodes: ownNodes, killer, maxStatementMs })
  }
  const primary = serverOf(servers[0], pool, nodes)
  const replicas = replicaUrls.map((replica) => {
    const [address] = parseMysqlUrl(replica)
    return serverOf(address, openPool(address, poolSize), null)
  })
  const close = async () => void (await Promise.all([primary, ...replicas].map((server) => server.close())))
  await requireServer(primary, servers.length).catch(async (error: unknown) => {
    await close()
    throw error
  })
  return {
    rows: (sql, parameters, limit) => read(primary, sql, parameters, limit),
    transaction: (work, limit, isIdempotent) => transact(primary, { work, limit, isIdempotent }),
    replica: replicasOf(replicas),
    pool: () => poolUse(pool, poolSize),
    close,
  }
}

/** Connections of a pool. The database driver has no public names for them. */
interface OpenPool {
  readonly _allConnections: { readonly length: number }
  readonly _freeConnections: { readonly length: number }
  readonly _connectionQueue: { readonly length: number }
}

function poolUse(pool: Pool, limit: number): PoolUse {
  const { _allConnections, _freeConnections, _connectionQueue } = pool as unknown as OpenPool
  return {
    limit,
    open: _allConnections.length,
    idle: _freeConnections.length,
    waiting: _connectionQueue.length,
  }
}

/**
 * Connects once, so that a wrong address or password is found at the start. It tries each node of a cluster, because
 * some may be down.
 */
async function requireServer(server: Server, tries: number): Promise<void> {
  for (let left = tries - 1; ; left--) {
    try {
      return void (await server.rows('SELECT 1', [], CONNECT_LIMIT_MS))
    } catch (error) {
      if (left === 0) throw error
      await setTimeout(NEXT_NODE_MS)
    }
  }
}

async function read(
  server: Server,
  sql: string,
  parameters: readonly unknown[],
  limit: TimeLimit,
): Promise<unknown[]> {
  for (let tries = 0; ; tries++) {
    try {
      return await server.rows(sql, parameters, limit.statementMs)
    } catch (error) {
      await waitBeforeRetry(error, limit, tries)
    }
  }
}
