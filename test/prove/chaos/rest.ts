import { setTimeout as wait } from 'node:timers/promises'
import type { Database } from '../../../src/storage/database.ts'
import type { SupervisedService } from './supervisor.ts'
import type { Workload } from './workload.ts'

const LOOK_MS = 250
const READY_MS = 60_000
const REST_MS = 240_000

/** Waits until a condition holds. Returns the milliseconds, or null on timeout. */
export async function until(mostMs: number, holds: () => Promise<boolean>): Promise<number | null> {
  const begun = performance.now()
  while (performance.now() - begun < mostMs) {
    if (await holds()) return performance.now() - begun
    await wait(LOOK_MS)
  }
  return null
}

/** Waits until every part of a service is ready. */
export async function allReady(service: SupervisedService): Promise<number | null> {
  let waitedFor: string[] = []
  const took = await until(READY_MS, async () => {
    const parts = [...service.parts.values()]
    const answers = await Promise.all(parts.map(({ address }) => isReady(address)))
    const missing = parts.filter((_, at) => !answers[at]).map(({ name }) => name)
    if (missing.length > 0) waitedFor = missing
    return missing.length === 0
  })
  if (took !== null && took > 10_000)
    console.log(`  ready only after ${took.toFixed(0)} ms: ${waitedFor.join(', ')}`)
  return took
}

async function isReady(address: string): Promise<boolean> {
  try {
    const response = await fetch(`${address}/readyz`, { signal: AbortSignal.timeout(3000) })
    await response.body?.cancel()
    return response.ok
  } catch {
    return false
  }
}

const unfinished = `SELECT \`id\`, \`connectionId\`, \`status\`, \`attempts\`, \`leaseOwner\`, \`leasedUntil\` FROM \`syncs\`
  WHERE \`status\` IN ('requested', 'in_progress')`

/** Waits until every sync has ended and every event has a position. Returns what remains on timeout. */
export async function comesToRest(db: Database): Promise<string[]> {
  const inTheWay = async () => [
    ...(await db.rows(unfinished)),
    ...(await db.rows('SELECT `id`, `type` FROM `events` WHERE `position` IS NULL LIMIT 5')),
  ]
  const took = await until(REST_MS, async () => (await inTheWay()).length === 0)
  if (took !== null) return []
  return (await inTheWay()).map((row) => `does not become idle: ${JSON.stringify(row)}`)
}

interface Sync {
  readonly status: string
  readonly failureReason: string | null
}

/** Requests one more sync of each connection and waits for it. A stuck connection would refuse it. */
export async function syncOnceMore(
  db: Database,
  workload: Workload,
  ask: (connection: Workload['live'][number]) => Promise<string | null>,
): Promise<string[]> {
  const problems: string[] = []
  await Promise.all(
    workload.live.map(async (fleet) => {
      let id: string | null = null
      await until(REST_MS, async () => (id = await ask(fleet)) !== null)
      if (id === null) return problems.push(`${fleet.connectionId} takes no further sync`)
      let sync: Sync | undefined
      await until(REST_MS, async () => {
        ;[sync] = await db.rows<Sync>('SELECT `status`, `failureReason` FROM `syncs` WHERE `id` = ?', [id])
        return sync?.status === 'completed' || sync?.status === 'failed'
      })
      if (sync?.status !== 'completed')
        problems.push(
          `${fleet.connectionId} is stuck: sync ${id} is ${sync?.status} (${sync?.failureReason})`,
        )
      return id
    }),
  )
  return problems
}
