import type { Id } from '../../../src/domain/ids.ts'
import type { Database } from '../../../src/storage/database.ts'
import { tableOf } from '../../../src/storage/sql/table.ts'
import { createApplication } from '../../../src/subgraphs/connections/applications/create-application.ts'
import { Connection, SyncMode } from '../../../src/subgraphs/connections/connection.ts'
import { toEventReference } from '../../../src/subgraphs/tables/connection-reference.ts'
import { connectionRow } from '../../support/factories.ts'
import { type Home, ServiceProcess } from '../support/service-process.ts'
import { LOOPBACK } from '../support/webhook-endpoints.ts'
import type { Origin } from './writing.ts'

const CONNECTIONS = 4

/** Two applications: one whose log is read over several connections, and one that must stay invisible. */
export interface Applications {
  readonly secretKey: string
  readonly mine: readonly Origin[]
  readonly other: Origin
}

export async function makeApplications(db: Database): Promise<Applications> {
  const [mine, other] = [await applicationIn(db, CONNECTIONS), await applicationIn(db, 1)]
  return { secretKey: mine.secretKey, mine: mine.origins, other: other.origins[0] as Origin }
}

async function applicationIn(db: Database, connections: number) {
  const now = Date.now()
  const { application, secretKey } = await createApplication(db, {
    name: 'Proof',
    environment: 'sandbox',
    now,
  })
  const rows = Array.from({ length: connections }, (_, at) =>
    connectionRow(application.id, `con_tkn_${application.id}_${at}`, { syncMode: SyncMode.MANUAL }),
  )
  await db.transaction((tx) => tx.insert(tableOf(Connection), rows))
  return { secretKey, origins: rows.map((row) => originOf(application.id, row)) }
}

const originOf = (applicationId: Id<'application'>, connection: Connection): Origin => ({
  applicationId,
  connectionId: connection.id as Id<'connection'>,
  brief: toEventReference(connection, 'Sandbox'),
})

/** Encryption key of the factories. */
const SETTINGS = {
  ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
  DEMO: 'off',
  LOG_LEVEL: 'error',
  WEBHOOK_ALLOW: LOOPBACK,
}

/** The service under test: two gateways and a worker, or one process on the embedded database. */
export class Stage implements AsyncDisposable {
  private constructor(private readonly parts: ReadonlyMap<string, ServiceProcess>) {}

  static async start(home: Home): Promise<Stage> {
    const roles = home.store === 'sqlite' ? ['all'] : ['gateway', 'gateway 2', 'worker']
    const parts = roles.map((name) => {
      const [role = ''] = name.split(' ')
      return [name, ServiceProcess.spawn(home, ['--role', role], SETTINGS)] as const
    })
    const harness = new Stage(new Map(parts))
    try {
      await Promise.all(parts.map(([, part]) => part.becomesReady()))
      return harness
    } catch (error) {
      await harness[Symbol.asyncDispose]()
      throw error
    }
  }

  /** URLs for readers. */
  get urls(): string[] {
    return [...this.parts].filter(([name]) => name !== 'worker').map(([, { ready }]) => ready.url)
  }

  get pids(): ReadonlyMap<string, number | undefined> {
    return new Map([...this.parts].map(([name, { child }]) => [name, child.pid]))
  }

  /** Returns the error log of the parts. */
  output(): string {
    return [...this.parts].map(([name, part]) => `${name}: ${part.output()}`).join('\n')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.parts.values()].map((part) => part.end('SIGKILL')))
  }
}
