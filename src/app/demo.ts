import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { EnvelopeEncryption } from '../auth/envelope-encryption.ts'
import type { Id } from '../domain/ids.ts'
import type { Registry } from '../providers/registry.ts'
import type { Database } from '../storage/database.ts'
import { createApplication } from '../subgraphs/connections/applications/create-application.ts'
import { createConnection } from '../subgraphs/connections/lifecycle/create-connection.ts'
import { createSignInLink } from '../subgraphs/connections/sessions/create-sign-in-link.ts'
import { issuePublicToken } from '../subgraphs/connections/tokens/issue-public-token.ts'
import { serviceActor } from '../subgraphs/tables/audit-log.ts'
import type { Clock } from '../domain/time.ts'

/**
 * Keys and tokens of the demo. They give access to simulated data only, so they are stored in clear text in
 * the data folder.
 */
export interface Demo {
  readonly secretKey: string
  readonly publishableKey: string
  readonly connectionToken: string
  readonly connectionId: Id<'connection'>
}

/**
 * Demo with a public token, which a caller can exchange for the connection token, and the code of a sign-in link. Each
 * start issues new ones, because they expire and can be used only once.
 */
export interface ReadyDemo extends Demo {
  readonly applicationId: Id<'application'>
  readonly publicToken: string
  /** Code with which a person signs in to the dashboard, once. */
  readonly signInCode: string
}

interface DemoDeps {
  readonly db: Database
  readonly secrets: EnvelopeEncryption
  readonly registry: Registry
  readonly clock: Clock
  readonly dataDir: string
  readonly fleetSize: number
}

const DAY_MS = 86_400_000

/**
 * Returns the demo of this data folder. Creates it if the database has no application yet. Returns null if the
 * database has applications, but not this demo.
 */
export async function ensureDemo(deps: DemoDeps): Promise<{ credentials: ReadyDemo; isNew: boolean } | null> {
  const path = join(deps.dataDir, 'demo.json')
  const saved = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  const existingDemo = saved === null ? null : await toReadyDemo(deps, JSON.parse(saved) as Demo)
  if (existingDemo) return { credentials: existingDemo, isNew: false }
  if (await hasApplication(deps.db)) return null
  const created = await createDemo(deps)
  await writeFile(path, `${JSON.stringify(created, null, 2)}\n`, { mode: 0o600 })
  const demo = await toReadyDemo(deps, created)
  if (!demo) throw new Error('the demo was deleted while it was created')
  return { credentials: demo, isNew: true }
}

export async function hasApplication(db: Database): Promise<boolean> {
  const [application] = await db.rows('SELECT 1 FROM `applications` LIMIT 1')
  return application !== undefined
}

/** Adds a public token and a sign-in link to a demo. Returns null if the demo was created in another database. */
async function toReadyDemo({ db, clock }: DemoDeps, demo: Demo): Promise<ReadyDemo | null> {
  const [connection] = await db.rows<{ applicationId: Id<'application'> }>(
    'SELECT `applicationId` FROM `connections` WHERE `id` = ?',
    [demo.connectionId],
  )
  if (!connection) return null
  const owner = { id: demo.connectionId, applicationId: connection.applicationId }
  const publicToken = await issuePublicToken(db, owner, clock.now())
  const { code } = await createSignInLink(
    { db, clock },
    { applicationId: owner.applicationId, name: null, role: 'OPERATOR', actor: serviceActor },
  )
  return { ...demo, applicationId: owner.applicationId, publicToken, signInCode: code }
}

async function createDemo({ db, secrets, registry, clock, fleetSize }: DemoDeps): Promise<Demo> {
  const provider = registry.find('sandbox')
  if (!provider) throw new Error('the demo needs the sandbox provider')
  const now = clock.now()
  const { application, secretKey, publishableKey } = await createApplication(db, {
    name: 'Demo',
    environment: 'sandbox',
    actor: serviceActor,
    now,
  })
  const { connection, token } = await createConnection(
    { db, secrets, now },
    {
      applicationId: application.id,
      provider,
      credentials: { apiKey: `sandbox-${fleetSize}-1` },
      tags: ['demo'],
      filters: { vehicles: { status: 'active' }, drivers: { status: 'active' } },
      // One day of history of a small fleet loads within seconds. A large fleet starts without history.
      backfillFrom: fleetSize > MAX_FLEET_WITH_HISTORY ? now : now - DAY_MS,
    },
  )
  return { secretKey, publishableKey, connectionToken: token, connectionId: connection.id }
}

/** Maximum number of vehicles with which a demo loads history. */
const MAX_FLEET_WITH_HISTORY = 1000

const DEMO_DATA_TIMEOUT_MS = 5000
const POLL_INTERVAL_MS = 50

/**
 * Waits for the first vehicles, devices and locations of the demo, for at most 5 seconds. Reports the progress of the
 * first sync.
 */
export async function waitForDemoData(
  db: Database,
  { applicationId, connectionId }: Pick<ReadyDemo, 'applicationId' | 'connectionId'>,
  report: (line: string) => void,
): Promise<void> {
  const until = Date.now() + DEMO_DATA_TIMEOUT_MS
  let reported = 0
  const demoRows = <Row>(columns: string, table: string): Promise<Row[]> =>
    db.rows(
      `SELECT ${columns} FROM \`${table}\` WHERE \`applicationId\` = ? AND \`connectionId\` = ? LIMIT 1`,
      [applicationId, connectionId],
    )
  while (Date.now() < until) {
    const [sync] = await demoRows<{ progress: number }>('`progress`', 'syncs')
    if (sync && sync.progress > reported) {
      reported = sync.progress
      report(`First sync: ${Math.round(reported)} %`)
    }
    const tables = ['vehicles', 'devices', 'latest_vehicle_locations']
    const results = await Promise.all(tables.map((table) => demoRows('1', table)))
    if (results.every((rows) => rows.length > 0)) return
    await setTimeout(POLL_INTERVAL_MS)
  }
  report('The first sync continues in the background.')
}
