import { availableParallelism } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import type { Database } from '../../src/storage/database.ts'
import { linkFleets, startProvider } from './support/linked-fleets.ts'
import { proofOnStores } from './proof.ts'
import { cpuSeconds } from './support/process-cpu.ts'
import { judge, reportOf } from './support/schedule-report.ts'
import { type Home, makeHome, ServiceProcess, type Store } from './support/service-process.ts'

interface Size {
  readonly connections: number
  readonly vehicles: number
  readonly large: number
  readonly 'interval-minutes': number
  readonly intervals: number
  readonly workers: number
  readonly 'poll-seconds': number
}

/** Syncs many connections on schedule. A large fleet among them must not delay the others. */
export const schedule = proofOnStores(
  {
    name: 'schedule',
    description:
      'every connection syncs within its interval, and a large fleet delays the others by a page at most',
    options: {
      connections: { preset: 60, short: 10, description: 'number of connections' },
      vehicles: { preset: 20, description: 'vehicles of each' },
      large: { preset: 1000, short: 200, description: 'vehicles of the large fleet, linked halfway' },
      'interval-minutes': { preset: 0.25, description: 'sync interval of each connection' },
      intervals: { preset: 2, description: 'number of watched intervals, half of them with the large fleet' },
      workers: {
        preset: availableParallelism(),
        description: 'worker processes; one with the embedded database',
      },
      'poll-seconds': { preset: 3600, description: 'interval of location polls' },
    },
  },
  (store, size) => (store === 'sqlite' ? prove(store, { ...size, workers: 1 }) : prove(store, size)),
)

async function prove(store: Store, size: Size): Promise<string[]> {
  const home = await makeHome(store)
  const provider = await startProvider()
  const workers: ServiceProcess[] = []
  try {
    workers.push(...(await startWorkers(home, provider.url, size)))
    const db = await home.open()
    const link = await linkFleets(db, provider.url)
    const begun = performance.now()
    await link(size.connections, size.vehicles)
    await firstSyncsOf(db, size.connections)
    const seconds = Math.round((performance.now() - begun) / 1000)
    console.log(`${store}: ${size.connections} connections linked and first synced in ${seconds} s`)
    return await watch(db, store, size, link, [provider.pid, ...workers.map(({ child }) => child.pid)])
  } finally {
    for (const worker of workers) await worker.end('SIGTERM')
    await provider.close()
    await home.remove()
  }
}

function startWorkers(home: Home, sandboxUrl: string, size: Size): Promise<ServiceProcess[]> {
  const environment = {
    ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
    SANDBOX_URL: sandboxUrl,
    DEMO: 'off',
    SYNC_INTERVAL_MINUTES: String(size['interval-minutes']),
    LOCATION_POLL_SECONDS: String(size['poll-seconds']),
  }
  const role = home.store === 'sqlite' ? 'all' : 'worker'
  return Promise.all(
    Array.from({ length: size.workers }, () => ServiceProcess.start(home, ['--role', role], environment)),
  )
}

async function firstSyncsOf(db: Database, connections: number): Promise<void> {
  for (let done = 0; done < connections; await wait(200)) {
    const [row] = await db.rows<{ n: number }>(
      "SELECT COUNT(DISTINCT `connectionId`) AS n FROM `syncs` WHERE `status` = 'completed'",
    )
    done = Number(row?.n)
  }
}

/** Watches one half without the large fleet, and the other half with it. */
async function watch(
  db: Database,
  store: Store,
  size: Size,
  link: (count: number, vehicles: number) => Promise<string[]>,
  processes: readonly (number | undefined)[],
): Promise<string[]> {
  const intervalMs = size['interval-minutes'] * 60_000
  const half = (intervalMs * size.intervals) / 2
  const [from, cpu] = [Date.now(), cpuSeconds(processes)]
  await wait(half)
  const [largeId = ''] = await link(1, size.large)
  await wait(half)
  await ended(db, largeId)
  const to = Date.now()
  const used = cpuSeconds(processes).map((seconds, index) => seconds - (cpu[index] ?? 0))
  console.log(
    `${store}: CPU provider ${share(used.slice(0, 1), to - from)}, workers ${share(used.slice(1), to - from)}`,
  )
  const report = await reportOf(db, { from, to, largeId })
  await db.close()
  return judge(store, report, { ...size, intervalMs })
}

const share = (seconds: readonly number[], ms: number): string =>
  `${((100_000 * seconds.reduce((sum, one) => sum + one, 0)) / ms).toFixed(0)} % of one core`

async function ended(db: Database, connectionId: string): Promise<void> {
  for (;;) {
    const [sync] = await db.rows<{ status: string }>(
      'SELECT `status` FROM `syncs` WHERE `connectionId` = ? ORDER BY `id` LIMIT 1',
      [connectionId],
    )
    if (sync && sync.status !== 'requested' && sync.status !== 'in_progress') return
    await wait(200)
  }
}
