import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createConnection } from 'mysql2/promise'
import { openDatabase } from '../src/storage/open-database.ts'
import { type Fleet, seedFleet } from './fleet.ts'
import type { StoreName } from './workloads.ts'

/** Address of the database of a store. Each server process opens it. */
export type StoreLocation =
  | { readonly store: 'memory' | 'sqlite'; readonly sqlitePath: string }
  | { readonly store: 'mariadb'; readonly mysqlUrl: string }

/** Database with the fleet. */
export interface Store extends AsyncDisposable {
  readonly location: StoreLocation
  readonly fleet: Fleet
}

export const databaseAt = (location: StoreLocation) =>
  openDatabase(
    location.store === 'mariadb'
      ? { mysqlUrl: location.mysqlUrl, sqlitePath: '' }
      : { sqlitePath: location.sqlitePath },
  )

/** Creates a database with the fleet. Disposal removes it. */
export const openStore = (store: StoreName): Promise<Store> =>
  store === 'mariadb' ? onServer() : inFile(store)

async function inFile(store: 'memory' | 'sqlite'): Promise<Store> {
  const folder = await mkdtemp(join(tmpdir(), 'odograph-bench-'))
  return seeded({ store, sqlitePath: join(folder, 'bench.db') }, () =>
    rm(folder, { recursive: true, force: true }),
  )
}

async function onServer(): Promise<Store> {
  const server = process.env['MYSQL_URL'] ?? 'mysql://root@127.0.0.1:3306'
  const name = `odograph_bench_${randomUUID().replaceAll('-', '')}`
  await run(server, `CREATE DATABASE ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return seeded({ store: 'mariadb', mysqlUrl: url.href }, () => run(server, `DROP DATABASE ${name}`))
}

async function seeded(location: StoreLocation, remove: () => Promise<void>): Promise<Store> {
  try {
    const db = await databaseAt(location)
    await db.migrate()
    const fleet = await seedFleet(db)
    await db.close()
    return { location, fleet, [Symbol.asyncDispose]: remove }
  } catch (error) {
    await remove()
    throw error
  }
}

async function run(url: string, sql: string): Promise<void> {
  const connection = await createConnection(url)
  await connection.query(sql)
  await connection.end()
}
