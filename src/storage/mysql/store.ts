import { DataSource } from 'typeorm'
import { mysqlHosts } from '../../platform/config/mysql-url.ts'
import type { TimeLimit } from '../timeouts.ts'
import type { PoolUse } from '../database.ts'
import type { ServerOptions, Store } from '../store.ts'
import { classifyError } from './error-classifier.ts'
import { FailoverHosts } from './failover.ts'
import { hostIn, sourceOptions } from './options.ts'
import { replicasOf } from './replicas.ts'
import { type Pool, Server } from './server.ts'
import { beforeAnotherTry, transact } from './transactions.ts'

/** Opens a MySQL or MariaDB server, or a cluster that is asked as one, with its read replicas. */
export async function openMysql(url: string, options: ServerOptions): Promise<Store> {
  const addresses = mysqlHosts(url)
  const hosts = addresses.length > 1 ? new FailoverHosts(addresses.map(hostIn)) : null
  const source = new DataSource(sourceOptions(addresses, hosts, options))
  await initialize(source, addresses.length)
  const primary = new Server(poolOf(source, 'MASTER'), hosts)
  const replicas = options.replicaUrls.map((_, index) => new Server(poolOf(source, `SLAVE${index}`), null))
  return {
    rows: (sql, parameters, limit) => read(primary, sql, parameters, limit),
    transaction: (work, limit, repeatable) => transact(primary, { work, limit, repeatable }),
    replica: replicasOf(replicas),
    pool: () => poolUse(source, options.poolSize),
    close: () => source.destroy().catch(unlessLost),
  }
}

/** The driver tells it in no other way. */
interface OpenPool {
  readonly _allConnections: { readonly length: number }
  readonly _freeConnections: { readonly length: number }
  readonly _connectionQueue: { readonly length: number }
}

/** The use of the pool of the server that is written to. */
function poolUse({ driver }: DataSource, limit: number): PoolUse {
  const { pool, poolCluster } = driver as unknown as {
    readonly pool?: OpenPool
    readonly poolCluster?: { readonly _nodes: { readonly MASTER: { readonly pool: OpenPool } } }
  }
  const used = poolCluster?._nodes.MASTER.pool ?? pool
  if (!used) throw new Error('the driver has no pool')
  const { _allConnections: all, _freeConnections: free, _connectionQueue: queue } = used
  return { limit, open: all.length, idle: free.length, waiting: queue.length }
}

/** A server that is out of reach needs no goodbye. */
function unlessLost(error: unknown): void {
  if (classifyError(error) !== 'lost') throw error
}

/** The first connection shows whether the server can be reached; a cluster may have lost some of its nodes. */
async function initialize(source: DataSource, tries: number): Promise<void> {
  for (let left = tries - 1; ; left--) {
    try {
      await source.initialize()
      return
    } catch (error) {
      if (left === 0) throw error
    }
  }
}

/** Reads straight from the driver's pools: a query runner for every read costs as much as a small read. */
function poolOf({ driver }: DataSource, node: string): Pool {
  const { pool, poolCluster } = driver as unknown as {
    readonly pool?: Pool
    readonly poolCluster?: { of(node: string): Pool }
  }
  const found = poolCluster?.of(node) ?? pool
  if (!found) throw new Error('the driver has no pool')
  return found
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
      await beforeAnotherTry(error, limit, tries)
    }
  }
}
