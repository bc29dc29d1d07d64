import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { proofOnStores } from './proof.ts'
import { type Home, makeHome, ServiceProcess, type Store } from './support/service-process.ts'

/** Syncs a large fleet completely, in bounded memory and at constant speed. */
export const largeFleet = proofOnStores(
  {
    name: 'large-fleet',
    description: 'a large fleet syncs completely in bounded memory, as fast at the end as at the start',
    options: {
      vehicles: { preset: 50_000, short: 2000, description: 'size of the fleet' },
      'most-mb': { preset: 600, description: 'memory limit of the service' },
    },
  },
  (store, { vehicles, 'most-mb': mostMb }) => prove(store, vehicles, mostMb),
)

interface Sample {
  readonly seconds: number
  readonly rows: number
  readonly rssMb: number
}

const SAMPLE_MS = 50
const MAX_SECONDS = 1500

async function prove(store: Store, vehicles: number, mostMb: number): Promise<string[]> {
  const home = await makeHome(store)
  try {
    await using service = ServiceProcess.spawn(home, ['--fleet-size', String(vehicles)])
    const samples = await watch(home, service)
    const stored = await countsIn(home)
    await service.end()
    return judge(store, vehicles, mostMb, samples, stored)
  } finally {
    await home.remove()
  }
}

const ROSTER = ['drivers', 'vehicles', 'devices'] as const

async function countsIn(home: Home): Promise<Record<string, number>> {
  const db = await home.open()
  const counts: Record<string, number> = {}
  for (const table of ROSTER) counts[table] = await count(db, `\`${table}\` WHERE \`deletedAt\` IS NULL`)
  counts['latest_vehicle_locations'] = await count(db, '`latest_vehicle_locations`')
  counts['vehicle.added events'] = await count(db, "`events` WHERE `type` = 'vehicle.added'")
  await db.close()
  return counts
}

type Rows = { rows<T>(sql: string): Promise<T[]> }

async function count(db: Rows, from: string): Promise<number> {
  const [row] = await db.rows<{ n: number }>(`SELECT COUNT(*) AS n FROM ${from}`)
  return Number(row?.n)
}

async function watch(home: Home, service: ServiceProcess): Promise<Sample[]> {
  const db = await home.open()
  await db.migrate()
  const begun = performance.now()
  const samples: Sample[] = []
  for (;;) {
    const seconds = (performance.now() - begun) / 1000
    const counts = await Promise.all(ROSTER.map((table) => count(db, `\`${table}\``)))
    samples.push({
      seconds,
      rows: counts.reduce((sum, rows) => sum + rows, 0),
      rssMb: rssMb(service.child.pid),
    })
    const [sync] = await db.rows<{ status: string }>('SELECT `status` FROM `syncs`')
    if (sync?.status === 'completed' && seconds > 5) break
    if (sync?.status === 'failed' || seconds > MAX_SECONDS)
      throw new Error(`the sync is ${sync?.status} after ${seconds} s`)
    await wait(SAMPLE_MS)
  }
  await db.close()
  return samples
}

function rssMb(pid: number | undefined): number {
  const kilobytes = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kilobytes) / 1024
}

function judge(
  store: Store,
  vehicles: number,
  mostMb: number,
  samples: readonly Sample[],
  stored: Readonly<Record<string, number>>,
): string[] {
  const most = Math.max(...samples.map(({ rssMb: size }) => size))
  const total = Math.max(...samples.map(({ rows }) => rows))
  const first = rate(samples, 0.02 * total, 0.22 * total)
  const last = rate(samples, 0.78 * total, 0.98 * total)
  const seconds = samples.find(({ rows }) => rows === total)?.seconds ?? 0
  console.log(
    `${store}: ${total} roster rows in ${seconds.toFixed(1)} s; first fifth ${first.toFixed(0)} rows/s, last fifth ${last.toFixed(0)} rows/s`,
  )
  console.log(`${store}: most memory ${most.toFixed(0)} MB; stored ${JSON.stringify(stored)}`)
  return [
    ...(stored['vehicles'] === vehicles
      ? []
      : [`${store}: ${stored['vehicles']} of ${vehicles} vehicles are stored`]),
    ...(stored['vehicle.added events'] === vehicles ? [] : [`${store}: not every vehicle has one event`]),
    ...(most < mostMb ? [] : [`${store}: ${most.toFixed(0)} MB are more than ${mostMb}`]),
    ...(last > 0.5 * first
      ? []
      : [`${store}: the rate falls from ${first.toFixed(0)} to ${last.toFixed(0)} rows/s`]),
  ]
}

/** Returns rows per second between two counts of rows. */
function rate(samples: readonly Sample[], from: number, to: number): number {
  const start = samples.find(({ rows }) => rows >= from)
  const end = samples.find(({ rows }) => rows >= to)
  if (!start || !end || start === end) return Number.NaN
  return (end.rows - start.rows) / (end.seconds - start.seconds)
}
