import { setTimeout as wait } from 'node:timers/promises'
import type { Database } from '../../src/storage/database.ts'
import { proofOnStores } from './proof.ts'
import { type Home, makeHome, ServiceProcess, type Store } from './support/service-process.ts'

/** Kills a service during its first sync. After a restart it must finish the sync completely. */
export const killedSync = proofOnStores(
  {
    name: 'killed-sync',
    description:
      'killed repeatedly in its first sync, the service finishes it: nothing missing, nothing duplicated',
    options: {
      vehicles: { preset: 200, short: 50, description: 'size of the fleet' },
      kills: { preset: 3, short: 2, description: 'number of kills' },
    },
  },
  (store, { vehicles, kills }) => prove(store, vehicles, kills),
)

/** Kills a service in its first sync this many times, lets it finish, and returns the errors in its data. */
export async function prove(store: Store, vehicles: number, kills: number): Promise<string[]> {
  const home = await makeHome(store)
  try {
    const progress: number[] = []
    for (let kill = 1; kill <= kills; kill++)
      progress.push(await startAndKill(home, vehicles, (80 * (kill - 1)) / kills + 5))
    await using service = await ServiceProcess.start(home, ['--fleet-size', String(vehicles)])
    const db = await home.open()
    await finished(db)
    console.log(`${store}: killed at ${progress.map((percent) => `${percent} %`).join(', ')}`)
    const failures = await audit(db, store, vehicles)
    await db.close()
    await service.end()
    return failures
  } finally {
    await home.remove()
  }
}

async function startAndKill(home: Home, vehicles: number, percent: number): Promise<number> {
  await using service = ServiceProcess.spawn(home, ['--fleet-size', String(vehicles)], {
    LOCATION_POLL_SECONDS: '60',
  })
  const db = await home.open()
  await db.migrate()
  let reached = 0
  for (;;) {
    const [sync] = await db.rows<{ status: string; progress: number }>(
      'SELECT `status`, `progress` FROM `syncs`',
    )
    reached = Number(sync?.progress ?? 0)
    if (sync?.status === 'completed') throw new Error('the sync ended before the kill: use a larger fleet')
    if (reached >= percent) break
    await wait(2)
  }
  await service.end('SIGKILL')
  await db.close()
  return reached
}

export async function finished(db: Database): Promise<void> {
  for (let tries = 0; tries < 6000; tries++) {
    const [sync] = await db.rows<{ status: string; waiting: number }>(
      'SELECT `status`, (SELECT COUNT(*) FROM `events` WHERE `position` IS NULL) AS waiting FROM `syncs`',
    )
    if (sync?.status === 'completed' && Number(sync.waiting) === 0) return
    await wait(50)
  }
  throw new Error('the sync does not finish')
}

/** The filters of the demo show active vehicles and drivers, and the records of both. */
const ACTIVE = "r.`status` = 'active'"
const OF_ACTIVE_VEHICLE =
  "EXISTS (SELECT 1 FROM `vehicles` AS v WHERE v.`id` = r.`vehicleId` AND v.`status` = 'active') " +
  "AND (r.`driverId` IS NULL OR EXISTS (SELECT 1 FROM `drivers` AS d WHERE d.`id` = r.`driverId` AND d.`status` = 'active'))"

/** Checks the invariants of a fleet's first sync, which hold after any interruption. */
export async function audit(db: Database, store: string, vehicles: number): Promise<string[]> {
  const failures: string[] = []
  const check = async (description: string, sql: string, expected: number) => {
    const [row] = await db.rows<{ n: number }>(sql)
    const found = Number(row?.n)
    console.log(`${store}: ${description}: ${found}`)
    if (found !== expected) failures.push(`${store}: ${description}: ${found} instead of ${expected}`)
  }
  const drivers = vehicles + Math.floor((vehicles + 4) / 5)
  await check('vehicles', 'SELECT COUNT(*) AS n FROM `vehicles` WHERE `deletedAt` IS NULL', vehicles)
  await check('vehicles stored twice', 'SELECT COUNT(*) - COUNT(DISTINCT `sourceId`) AS n FROM `vehicles`', 0)
  await check('drivers', 'SELECT COUNT(*) AS n FROM `drivers` WHERE `deletedAt` IS NULL', drivers)
  for (const [table, type, isVisible] of [
    ['vehicles', 'vehicle.added', ACTIVE],
    ['drivers', 'driver.added', ACTIVE],
    ['safety_events', 'safety.added', OF_ACTIVE_VEHICLE],
  ] as const) {
    const events = `(SELECT COUNT(*) FROM \`events\` AS e WHERE e.\`subjectId\` = r.\`id\` AND e.\`type\` = '${type}')`
    const rows = `SELECT COUNT(*) AS n FROM \`${table}\` AS r WHERE`
    await check(`${table} with several ${type}`, `${rows} ${events} > 1`, 0)
    // A record that is first seen as deleted has no added event. Nor has one that the filters of the demo hide.
    await check(
      `visible ${table} without ${type}`,
      `${rows} ${events} = 0 AND r.\`deletedAt\` IS NULL AND ${isVisible}`,
      0,
    )
  }
  await check(
    'events of missing records',
    "SELECT COUNT(*) AS n FROM `events` WHERE `type` = 'vehicle.added' AND `subjectId` NOT IN (SELECT `id` FROM `vehicles`)",
    0,
  )
  await check(
    'events of started syncs',
    "SELECT COUNT(*) AS n FROM `events` WHERE `type` = 'sync.started'",
    1,
  )
  await check(
    'events of completed syncs',
    "SELECT COUNT(*) AS n FROM `events` WHERE `type` = 'sync.completed'",
    1,
  )
  await check('gaps in the log', 'SELECT MAX(`position`) - COUNT(*) AS n FROM `events`', 0)
  return failures
}
