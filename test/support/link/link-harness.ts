import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { keyHolder } from '../../../src/auth/caller.ts'
import { createApp } from '../../../src/http/app.ts'
import type { AccountCheckQueue } from '../../../src/link/run/account-check-queue.ts'
import { mountLink } from '../../../src/link/mount.ts'
import { rewriteLinkUrl } from '../../../src/link/rewrite-link-url.ts'
import type { ProviderAdapter } from '../../../src/providers/provider.ts'
import { registry } from '../../../src/providers/registry.ts'
import { sandboxAdapter } from '../../../src/providers/sandbox/adapter.ts'
import { type Simulator, startSimulator } from '../../../src/providers/sandbox/simulator/server.ts'
import { createInProcessNotifier } from '../../../src/queue/notifier.ts'
import { inProcessQueue } from '../../../src/queue/in-process-queue.ts'
import type { Database } from '../../../src/storage/database.ts'
import type { Dialect } from '../../../src/storage/sql/dialect.ts'
import type { Application } from '../../../src/subgraphs/connections/applications/application.ts'
import { createApplication } from '../../../src/subgraphs/connections/applications/create-application.ts'
import type { Connection } from '../../../src/subgraphs/connections/connection.ts'
import type { LinkLimits } from '../../../src/subgraphs/connections/linking/rate-limit/link-rate-limiter.ts'
import { exchangePublicToken } from '../../../src/subgraphs/connections/tokens/exchange-public-token.ts'
import { addressSet } from '../../../src/platform/outbound-http/reserved-ips.ts'
import { masterEncryption, NOON, temporaryDatabase, newRenewals } from '../factories.ts'
import { Browser, inProcess } from './http-browser.ts'
import { SmallProvider } from './small-provider.ts'

/** Application of an integrator, as a link URL names it. */
export interface Integrator {
  readonly id: string
  readonly key: string
}

interface HarnessOptions {
  /** LINK_URL of the service. */
  readonly address?: string
  /** Default: limits that no test reaches. */
  readonly limits?: Partial<LinkLimits>
  /** Trusted proxies, as IP addresses and ranges. */
  readonly proxies?: readonly string[]
  /** Providers in addition to the sandbox and the small provider `harbor`. */
  readonly providers?: readonly ProviderAdapter[]
}

/**
 * The link pages over a database of their own, with real providers. The clock moves only when a test moves
 * it.
 */
export class LinkHarness implements AsyncDisposable {
  private now = NOON
  readonly logged: string[] = []
  /** Keys that authentication accepted. */
  readonly keysUsed: string[] = []
  readonly app: FastifyInstance
  readonly checks: AccountCheckQueue
  readonly from

  private constructor(
    readonly db: Database & AsyncDisposable,
    private readonly simulator: Simulator,
    readonly harbor: SmallProvider,
    { address, limits, proxies = [], providers = [] }: HarnessOptions,
  ) {
    const log = pino({ level: 'info' }, { write: (line: string) => void this.logged.push(line) })
    this.from = {
      db,
      registry: registry([
        sandboxAdapter(`http://127.0.0.1:${simulator.port}`),
        harbor.adapter,
        ...providers,
      ]),
      secrets: masterEncryption,
      queue: inProcessQueue({ onError: () => undefined }),
      notifier: createInProcessNotifier(),
      renewals: newRenewals(),
      clock: { now: () => this.now },
      log,
      baseUrl: address ?? null,
      limits: { signInsPerRun: 100, perAddress: 10_000, perKey: 10_000, ...limits },
      keyUses: { record: (keyId: string) => void this.keysUsed.push(keyId) },
    }
    this.app = createApp({
      log,
      rewriteUrl: rewriteLinkUrl(address),
      proxies: {
        isProxy: proxies.length > 0 ? addressSet(proxies) : null,
        hasOneProxy: address?.startsWith('https:') ?? false,
      },
    })
    this.checks = mountLink(this.app, this.from)
  }

  static async start(dialect: Dialect = 'sqlite', options: HarnessOptions = {}): Promise<LinkHarness> {
    const [db, simulator, harbor] = await Promise.all([
      temporaryDatabase(dialect),
      startSimulator({ controls: true, ratePerSecond: 10_000 }),
      SmallProvider.start(),
    ])
    return new LinkHarness(db, simulator, harbor, options)
  }

  moveClock(ms: number): void {
    this.now += ms
  }

  async integrator(values: Partial<Application> = {}): Promise<Integrator> {
    const { environment = 'sandbox', name = 'Fuel Cards Inc.' } = values
    const { application, publishableKey } = await createApplication(this.db, {
      name,
      environment,
      now: this.now,
    })
    const { linkOrigins = ['https://app.example.com'], agreementUrl = null } = values
    await this.db.transaction((tx) =>
      tx.run('UPDATE `applications` SET `linkOrigins` = ?, `agreementUrl` = ? WHERE `id` = ?', [
        JSON.stringify(linkOrigins),
        JSON.stringify(agreementUrl),
        application.id,
      ]),
    )
    return { id: application.id, key: publishableKey }
  }

  browser(headers: Readonly<Record<string, string>> = {}, hosts?: readonly string[]): Browser {
    return new Browser(inProcess(this.app), headers, hosts)
  }

  /** Checks the pending accounts, then reloads the page. */
  async checked(browser: Browser): Promise<void> {
    do {
      await this.checks.close()
      await browser.reload()
    } while (browser.step === 'checking')
  }

  /** Exchanges the public token of a redirect, as the integrator's server does. */
  exchange({ id }: Integrator, publicToken: string): Promise<Connection> {
    return exchangePublicToken(this.from, keyHolder(id), { publicToken })
  }

  rows<Row>(sql: string, parameters: readonly unknown[] = []): Promise<Row[]> {
    return this.db.rows<Row>(sql, parameters)
  }

  connectionsOf({ id }: Integrator): Promise<Pick<Connection, 'id' | 'sourceId' | 'status'>[]> {
    return this.rows(
      'SELECT `id`, `sourceId`, `status` FROM `connections` WHERE `applicationId` = ? ORDER BY `id`',
      [id],
    )
  }

  /** Returns every stored value as text. */
  async stored(): Promise<string> {
    const sql =
      this.db.dialect === 'mysql'
        ? 'SELECT `table_name` AS `name` FROM `information_schema`.`tables` WHERE `table_schema` = DATABASE()'
        : "SELECT `name` FROM `sqlite_master` WHERE `type` = 'table'"
    const tables = await this.rows<{ name: string }>(sql)
    const contents = await Promise.all(tables.map(({ name }) => this.rows(`SELECT * FROM \`${name}\``)))
    return JSON.stringify(contents)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.app.close()
    await this.checks.close()
    await this.from.queue.close()
    await this.simulator.close()
    await this.harbor.close()
    await this.db[Symbol.asyncDispose]()
  }
}
