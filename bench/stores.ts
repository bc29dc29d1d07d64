import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createConnection } from 'mysql2/promise'
import { openDatabase } from '../src/storage/open-database.ts'
import { type Fleet, seedFleet } from './fleet.ts'
import type { StoreName } from './workloads.ts'

/** Where a store is, as the servers of a run are told. */
export type StoreLocation =
  | { readonly store: 'memory' | 'sqlite'; readonly sqlitePath: string }
  | { readonly store: 'mariadb'; readonly mysqlUrl: string }

export interface Store extends AsyncDisposable {
  readonly place: StoreLocation
  readonly fleet: Fleet
}

export const databaseAt = (place: StoreLocation) =>
  openDatabase(
    place.store === 'mariadb'
      ? { mysqlUrl: place.mysqlUrl, sqlitePath: '' }
      : { sqlitePath: place.sqlitePath },
  )

/** A database of its own with the fleet in it, gone when it is disposed of. */
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

async function seeded(place: StoreLocation, remove: () => Promise<void>): Promise<Store> {
  try {
    const db = await databaseAt(place)
    await db.migrate()
    const fleet = await seedFleet(db)
    await db.close()
    return { place, fleet, [Symbol.asyncDispose]: remove }
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
