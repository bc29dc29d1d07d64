import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { createEncryption } from '../../../src/auth/envelope-encryption.ts'
import { createLog } from '../../../src/platform/logging/log.ts'
import { createLimiters } from '../../../src/providers/rate-limit/create-limiters.ts'
import { sandboxAdapter } from '../../../src/providers/sandbox/adapter.ts'
import { bullmqQueue } from '../../../src/queue/bullmq/bullmq-queue.ts'
import { Disposer } from '../../../src/platform/lifecycle/disposer.ts'
import { readConfig } from '../../../src/platform/config/config.ts'
import type { Database } from '../../../src/storage/database.ts'
import { createApplication } from '../../../src/subgraphs/connections/applications/create-application.ts'
import { type Connection, SyncMode } from '../../../src/subgraphs/connections/connection.ts'
import { createConnection } from '../../../src/subgraphs/connections/lifecycle/create-connection.ts'
import { enqueueSync, requestSync } from '../../../src/subgraphs/connections/syncs/request-sync.ts'
import { SandboxProcess } from './sandbox-process.ts'
import { type Home, makeHome, ServiceProcess } from './service-process.ts'

export interface Sizes {
  readonly connections: number
  readonly vehicles: number
  readonly latencyMs: number
}

interface FleetInput extends Sizes {
  readonly workers: number
  /** Requests that the provider permits per second; it refuses more. */
  readonly accountBudget?: number
  readonly totalBudget?: number
}

export interface Ran {
  readonly seconds: number
  readonly perSecond: number
  readonly vehicles: number
  readonly requests: number
  /** Maximum number of requests within a second, as the provider counted. */
  readonly largest: number
  readonly largestOfAccount: number
  readonly refused: number
  readonly cpuSeconds: Readonly<Record<string, number>>
}

const KEY = Buffer.alloc(32, 1)

/** Runs the first sync of many connections with this many workers on a database of their own. */
export async function runSyncs(input: FleetInput): Promise<Ran> {
  const home = await makeHome('mariadb')
  try {
    await using sandbox = await startProvider(input)
    const environment = {
      ENCRYPTION_KEY: KEY.toString('base64'),
      SANDBOX_URL: sandbox.url,
      DEMO: 'off',
      ...(input.totalBudget ? { PROVIDER_BUDGETS: `sandbox=${input.totalBudget}/s` } : {}),
    }
    const db = await home.open()
    await db.migrate()
    const workers = await Promise.all(
      Array.from({ length: input.workers }, () =>
        ServiceProcess.start(home, ['--role', 'worker'], environment),
      ),
    )
    try {
      return await measure(input, { home, db, sandbox, environment, workers })
    } finally {
      await Promise.all(workers.map((worker) => worker.end()))
      await db.close()
    }
  } finally {
    await home.remove()
  }
}

const startProvider = ({ vehicles, latencyMs, accountBudget = 0, totalBudget = 0 }: FleetInput) =>
  SandboxProcess.start([
    `--fleet-size=${vehicles}`,
    `--latency-ms=${latencyMs}`,
    `--account-budget=${accountBudget}`,
    `--total-budget=${totalBudget}`,
  ])

interface Running {
  readonly home: Home
  readonly db: Database
  readonly sandbox: SandboxProcess
  readonly environment: Readonly<Record<string, string>>
  readonly workers: readonly ServiceProcess[]
}

async function measure(input: FleetInput, running: Running): Promise<Ran> {
  const { db, sandbox, workers } = running
  const pids = new Map([
    ...workers.map(({ child }, at) => [`worker ${at + 1}`, child.pid ?? 0] as const),
    ['provider', sandbox.pid],
  ])
  const opened = new Disposer()
  const begun = await requestAll(input, running, opened, () => cpuOf(pids))
  const ended = await allCompleted(db, input.connections)
  const cpu = cpuOf(pids)
  await opened.close()
  const seconds = (ended - begun.at) / 1000
  return {
    seconds,
    perSecond: input.connections / seconds,
    vehicles: await count(db, '`vehicles`'),
    ...(await countedBy(sandbox)),
    cpuSeconds: Object.fromEntries([...cpu].map(([name, used]) => [name, used - (begun.cpu.get(name) ?? 0)])),
  }
}

/** Links the connections, and only then requests their syncs. */
async function requestAll<Cpu>(
  { connections, vehicles }: FleetInput,
  { home, db, sandbox, environment }: Running,
  opened: Disposer,
  cpu: () => Cpu,
): Promise<{ at: number; cpu: Cpu }> {
  const requested = readConfig(['--data', home.folder], { ...home.environment, ...environment })
  if (!('config' in requested)) throw new Error('invalid settings')
  const { config } = requested
  const turns = opened.add(createLimiters(config, createLog('warn')))
  const provider = sandboxAdapter(sandbox.url, turns.limiterFor)
  const now = Date.now()
  const { application } = await createApplication(db, { name: 'Fleets', environment: 'sandbox', now })
  const linked: Connection[] = []
  for (let seed = 1; seed <= connections; seed++) {
    const credentials = { apiKey: `sandbox-${vehicles}-${seed}` }
    const made = await createConnection(
      { db, secrets: createEncryption(KEY), now },
      {
        applicationId: application.id,
        provider,
        credentials,
        syncMode: SyncMode.MANUAL,
        backfillFrom: now - HOUR_MS,
      },
    )
    linked.push(made.connection)
  }
  const { redisUrl = '', queuePrefix: prefix } = config
  const queue = opened.add(
    bullmqQueue({ redisUrl, prefix, onError: (_job, _id, error) => console.error(error) }),
  )
  const begun = { at: Date.now(), cpu: cpu() }
  for (const { id } of linked) {
    const sync = await requestSync(db, { connectionId: id, providerName: 'Sandbox' }, Date.now())
    await enqueueSync({ queue }, sync)
  }
  return begun
}

const HOUR_MS = 3_600_000
const MAX_DURATION_MS = 900_000

/** Waits until every sync is completed. Returns the time of the last one. */
async function allCompleted(db: Database, connections: number): Promise<number> {
  for (const until = Date.now() + MAX_DURATION_MS; Date.now() < until; await wait(200)) {
    const failed = await count(db, "`syncs` WHERE `status` = 'failed'")
    if (failed > 0) throw new Error(`${failed} syncs failed`)
    if ((await count(db, "`syncs` WHERE `status` = 'completed'")) < connections) continue
    const [last] = await db.rows<{ at: unknown }>('SELECT MAX(`completedAt`) AS at FROM `syncs`')
    return Number(last?.at)
  }
  throw new Error('the syncs do not end')
}

async function count(db: Database, from: string): Promise<number> {
  const [row] = await db.rows<{ n: number }>(`SELECT COUNT(*) AS n FROM ${from}`)
  return Number(row?.n)
}

async function countedBy(sandbox: SandboxProcess) {
  const read = async <Body>(path: string) =>
    (await (await fetch(`${sandbox.url}/control/${path}`)).json()) as Body
  type Budgets = { all: number; accounts: Record<string, number>; refused: number }
  const { all, accounts, refused } = await read<Budgets>('budgets')
  const requests = await read<Record<string, Record<string, number>>>('requests')
  return {
    largest: all,
    largestOfAccount: Math.max(...Object.values(accounts)),
    refused,
    requests: Object.values(requests)
      .flatMap((paths) => Object.values(paths))
      .reduce((sum, many) => sum + many, 0),
  }
}

const TICKS_PER_SECOND = 100

/** Returns the CPU time of each process, user and system. */
function cpuOf(pids: ReadonlyMap<string, number>): Map<string, number> {
  return new Map(
    [...pids].map(([name, pid]) => {
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ')
      return [name, (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND]
    }),
  )
}
