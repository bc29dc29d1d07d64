import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { KillableMariadb } from '../support/database/killable-mariadb.ts'
import { inconsistentWrites } from './galera.ts'
import { finished } from './killed-sync.ts'
import { proof } from './proof.ts'
import { type Home, makeHome, ServiceProcess } from './support/service-process.ts'
import { SteadyLoad } from './support/steady-load.ts'

const BINARY_LOG = ['--log-bin=binlog', '--server-id=1', '--binlog-format=ROW']

/** Deletes data of a running service, and restores a backup and the binary log up to the second before. */
export const restore = proof(
  {
    name: 'restore',
    description: 'a dump and the binary log restore MariaDB to the second before a disaster, row for row',
    options: {
      vehicles: { preset: 200, short: 30, description: 'size of the synced fleet' },
      seconds: { preset: 20, short: 4, description: 'seconds of load before and after the dump' },
    },
  },
  prove,
)

interface Size {
  readonly vehicles: number
  readonly seconds: number
}

async function prove({ vehicles, seconds }: Size): Promise<string[]> {
  await using server = await KillableMariadb.start(BINARY_LOG)
  const home = await makeHome('mariadb', { mysql: server.url() })
  try {
    const shell = shellOn(server, home)
    const service = await ServiceProcess.start(home, ['--fleet-size', String(vehicles)])
    const db = await home.open()
    await finished(db)
    const load = new SteadyLoad(service)
    await wait(seconds * 1000)
    shell(`mariadb-dump $SERVER --single-transaction --master-data=2 $DATABASE > $FOLDER/dump.sql`)
    const atDump = load.acknowledged.length
    await wait(seconds * 1000)
    await load.stop()
    await service.end()
    await db.close()
    const before = await contentsOf(server, home)

    const stopAt = await nextSecond(server)
    await server.query(`DELETE FROM ${databaseOf(home)}.events`)
    await server.query(`DROP TABLE ${databaseOf(home)}.trips`)
    const [, log = '', position = ''] =
      /MASTER_LOG_FILE='([^']+)', MASTER_LOG_POS=(\d+)/.exec(
        readFileSync(join(home.folder, 'dump.sql'), 'utf8'),
      ) ?? []
    console.log(`dump at ${log}, position ${position}; restored to ${stopAt}`)
    await server.query('FLUSH BINARY LOGS')
    shell(`
      mariadb $SERVER -e "DROP DATABASE $DATABASE; CREATE DATABASE $DATABASE"
      mariadb $SERVER $DATABASE < $FOLDER/dump.sql
      cd $DATADIR
      TZ=UTC mariadb-binlog --database=$DATABASE --start-position=${position} --stop-datetime='${stopAt}' \\
        $(ls binlog.0* | sed -n '/${log}/,$p') | mariadb $SERVER`)
    const after = await contentsOf(server, home)

    const failures = differences(before, after)
    console.log(
      `writes acknowledged before the dump ${atDump}, after it ${load.acknowledged.length - atDump}`,
    )
    if (load.acknowledged.length === atDump) failures.push('no write was acknowledged after the dump')
    return [...failures, ...(await continues(home, load, vehicles))]
  } finally {
    await home.remove()
  }
}

const databaseOf = ({ environment }: Home): string =>
  new URL(environment['MYSQL_URL'] ?? '').pathname.slice(1)

/** Returns a function that runs a script with the programs of the server. It throws if one of them fails. */
function shellOn({ port, folder }: KillableMariadb, home: Home): (script: string) => void {
  const env = {
    ...process.env,
    SERVER: `--no-defaults --host=127.0.0.1 --port=${port} --user=root`,
    DATABASE: databaseOf(home),
    FOLDER: home.folder,
    DATADIR: `${folder}/data`,
  }
  return (script) => void execFileSync('bash', ['-o', 'pipefail', '-ec', script], { env, stdio: 'inherit' })
}

/** Returns the first second of the server, in UTC, in which nothing has been written, once it has begun. */
async function nextSecond(server: KillableMariadb): Promise<string> {
  const now = async () => {
    const [row] = await server.query<{ now: string }>("SELECT CONCAT(UTC_TIMESTAMP(), '') AS now")
    return row?.now ?? ''
  }
  const last = await now()
  for (;;) {
    const second = await now()
    if (second > last) return second
    await wait(50)
  }
}

interface Contents {
  readonly rows: number
  readonly checksum: string
}

/** Returns the number of rows of each table, and the checksum over them. */
async function contentsOf(server: KillableMariadb, home: Home): Promise<ReadonlyMap<string, Contents>> {
  const database = databaseOf(home)
  const tables = await server.query<{ name: string }>(
    `SELECT TABLE_NAME AS name FROM information_schema.TABLES WHERE TABLE_SCHEMA = '${database}' ORDER BY TABLE_NAME`,
  )
  const contents = new Map<string, Contents>()
  for (const { name } of tables) {
    const [count] = await server.query<{ n: number }>(`SELECT COUNT(*) AS n FROM ${database}.\`${name}\``)
    const [sum] = await server.query<{ Checksum: number }>(`CHECKSUM TABLE ${database}.\`${name}\` EXTENDED`)
    contents.set(name, { rows: Number(count?.n), checksum: String(sum?.Checksum) })
  }
  return contents
}

/** Prints both states of each table that has rows. Returns a failure for each table that differs. */
function differences(before: ReadonlyMap<string, Contents>, after: ReadonlyMap<string, Contents>): string[] {
  const failures: string[] = []
  const words = (contents?: Contents) =>
    contents ? `${contents.rows} rows, ${contents.checksum}` : 'missing'
  for (const name of new Set([...before.keys(), ...after.keys()])) {
    const [was, is] = [words(before.get(name)), words(after.get(name))]
    if (before.get(name)?.rows !== 0) console.log(`${name.padEnd(28)} ${was.padEnd(26)} ${is}`)
    if (was !== is) failures.push(`${name}: ${was} before, ${is} after`)
  }
  return failures
}

/** Starts the service on the restored database, with an empty queue. Returns what it has lost. */
async function continues(home: Home, load: SteadyLoad, vehicles: number): Promise<string[]> {
  await using service = await ServiceProcess.start(home, ['--fleet-size', String(vehicles)], {
    QUEUE_PREFIX: `${home.environment['QUEUE_PREFIX']}_restored`,
  })
  const { vehicles: page } = await service.graphql<{ vehicles: { nodes: readonly object[] } }>(
    '{ vehicles(first: 1) { nodes { id } } }',
  )
  const db = await home.open()
  const failures = [
    ...(page.nodes.length === 1 ? [] : ['the service serves no vehicle']),
    ...(await inconsistentWrites(db, load)),
  ]
  await db.close()
  const code = await service.end()
  return code === 0 ? failures : [...failures, `the service ended with ${code}: ${service.output()}`]
}
