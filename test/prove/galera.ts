import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Database } from '../../src/storage/database.ts'
import { openDatabase } from '../../src/storage/open-database.ts'
import { GaleraCluster, type Node } from './support/galera-cluster.ts'
import { audit, finished } from './killed-sync.ts'
import { proof } from './proof.ts'
import { type Home, ServiceProcess } from './support/service-process.ts'
import { SteadyLoad } from './support/steady-load.ts'

const DATABASE = 'odograph'

/** A request times out long before, on a machine of any speed. */
const STALL_MS = 15_000

interface Load {
  readonly vehicles: number
  readonly seconds: number
}

/** Kills a node of a Galera cluster during reads and writes. No acknowledged write may be lost. */
export const galera = proof(
  {
    name: 'galera',
    description:
      'the used node of a Galera cluster is killed under load: no acknowledged write is lost or duplicated',
    options: {
      vehicles: { preset: 60, short: 20, description: 'size of the synced fleet' },
      seconds: { preset: 12, short: 5, description: 'seconds of load without the node' },
    },
  },
  prove,
)

async function prove({ vehicles, seconds }: Load): Promise<string[]> {
  await using cluster = await GaleraCluster.start()
  const [first, second] = cluster.nodes as [Node, Node]
  await first.mariadb.query(`CREATE DATABASE ${DATABASE}`)
  const home = homeOn(cluster)
  try {
    await using service = await ServiceProcess.start(home, ['--fleet-size', String(vehicles)])
    const load = new SteadyLoad(service)
    await syncIsUnderWay(second)
    console.log(`${await usersOf(first)} connections to ${first.name}: it is killed now`)
    await first.mariadb.kill()
    const before = load.acknowledged.length
    await wait(seconds * 1000)
    const without = load.acknowledged.length - before
    console.log(`${await usersOf(second)} connections to ${second.name}; ${first.name} restarts`)
    await first.mariadb.start()
    await cluster.hasSize(3, first)
    await wait(3000)
    await load.stop()
    const db = await home.open()
    await finished(db)
    const failures = [
      ...(await audit(db, 'cluster', vehicles)),
      ...(await inconsistentWrites(db, load)),
      ...(await different(cluster)),
      ...(without > 0 ? [] : [`no write succeeded without ${first.name}`]),
      ...(load.longestMs < STALL_MS ? [] : ['a request took too long']),
      ...load.wrong.map((what) => `a response that cannot be retried: ${what}`),
    ]
    for (const line of load.figures) console.log(line)
    console.log(`longest stall: ${Math.round(load.longestMs)} ms; writes while the node was down: ${without}`)
    await db.close()
    const code = await service.end()
    return code === 0 ? failures : [...failures, `the service ended with ${code}: ${service.output()}`]
  } finally {
    await home.remove()
  }
}

function homeOn(cluster: GaleraCluster): Home {
  const folder = mkdtempSync(join(tmpdir(), 'odograph-'))
  const mysqlUrl = cluster.url(DATABASE)
  return {
    store: 'mariadb',
    folder,
    environment: { MYSQL_URL: mysqlUrl, DEMO: 'on', LOCATION_POLL_SECONDS: '3' },
    open: () => openDatabase({ mysqlUrl, sqlitePath: '', poolSize: 2 }),
    remove: async () => rmSync(folder, { recursive: true }),
  }
}

/** Waits until a fifth of the sync is done, by a query to an unused node. */
async function syncIsUnderWay({ mariadb }: Node): Promise<void> {
  for (;;) {
    const [sync] = await mariadb.query<{ status: string; progress: number }>(
      `SELECT status, progress FROM ${DATABASE}.syncs`,
    )
    if (sync?.status === 'completed') throw new Error('the sync ended before the kill: use a larger fleet')
    if (Number(sync?.progress ?? 0) >= 20) return
    await wait(20)
  }
}

async function usersOf({ mariadb }: Node): Promise<number> {
  const rows = await mariadb.query(`SELECT 1 FROM information_schema.PROCESSLIST WHERE DB = '${DATABASE}'`)
  return rows.length
}

/** Returns acknowledged writes without exactly one event, and any write with more than one. */
export async function inconsistentWrites(
  db: Database,
  { acknowledged }: Pick<SteadyLoad, 'acknowledged'>,
): Promise<string[]> {
  const rows = await db.rows<{ detail: string }>(
    "SELECT `detail` FROM `events` WHERE `type` = 'connection.updated'",
  )
  const reported = new Map<string, number>()
  for (const { detail } of rows) {
    const { connection } = JSON.parse(detail) as { connection: { externalId: string } }
    reported.set(connection.externalId, (reported.get(connection.externalId) ?? 0) + 1)
  }
  const lost = acknowledged.filter((write) => !reported.has(write))
  const doubled = [...reported].filter(([, events]) => events > 1).map(([write]) => write)
  console.log(
    `writes acknowledged ${acknowledged.length}, of them lost ${lost.length}; duplicated ${doubled.length}; unacknowledged ${reported.size - acknowledged.length + lost.length}`,
  )
  return [
    ...lost.map((write) => `${write} was acknowledged and is not there`),
    ...doubled.map((write) => `${write} has two events`),
  ]
}

const COUNTED = ['vehicles', 'drivers', 'trips', 'events', 'syncs', 'safety_events']

/** Returns the differences between the restarted node and the others. */
async function different({ nodes }: GaleraCluster): Promise<string[]> {
  const counts = await Promise.all(
    nodes.map(async ({ mariadb }) => {
      const of = COUNTED.map((table) => `(SELECT COUNT(*) FROM ${DATABASE}.${table}) AS ${table}`)
      const [row] = await mariadb.query(`SET STATEMENT wsrep_sync_wait = 1 FOR SELECT ${of.join(', ')}`)
      return JSON.stringify(row)
    }),
  )
  console.log(`on every node: ${counts[0]}`)
  return new Set(counts).size === 1 ? [] : [`the nodes differ: ${counts.join(' ')}`]
}
