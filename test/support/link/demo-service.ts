import { type Connection, OdographClient } from '@odograph/client'
import { type Home, makeHome, type Ready, ServiceProcess } from '../../prove/support/service-process.ts'
import { SandboxProcess } from '../../prove/support/sandbox-process.ts'
import { createApplication } from '../../../src/subgraphs/connections/applications/create-application.ts'

type Demo = Ready & { readonly publishableKey: string }

/** The service as `npm start` runs it, with the sandbox provider. */
export class DemoServiceHost implements AsyncDisposable {
  readonly odograph: OdographClient

  private constructor(
    private readonly home: Home,
    private readonly service: ServiceProcess,
    private readonly provider: SandboxProcess | null,
  ) {
    this.odograph = new OdographClient({ baseUrl: this.url, secretKey: this.demo.secretKey })
  }

  /** Starts the service with its defaults: it starts the sandbox provider itself. */
  static async withDefaults(): Promise<DemoServiceHost> {
    const home = await makeHome('sqlite')
    return new DemoServiceHost(home, await ServiceProcess.start(home, ['--fleet-size', '1']), null)
  }

  /** Starts the service with a provider whose world a test can change. */
  static async withControls(): Promise<DemoServiceHost> {
    const [home, provider] = await Promise.all([makeHome('sqlite'), SandboxProcess.start()])
    const environment = { SANDBOX_URL: provider.url, LOCATION_POLL_SECONDS: '1' }
    return new DemoServiceHost(
      home,
      await ServiceProcess.start(home, ['--fleet-size', '1'], environment),
      provider,
    )
  }

  get sandbox(): SandboxProcess {
    if (!this.provider) throw new Error('the service started its provider itself: it has no controls')
    return this.provider
  }

  get demo(): Demo {
    return this.service.ready as Demo
  }

  get url(): string {
    return this.demo.url
  }

  /** Returns the URL of the link pages. The default key is that of the demo application. */
  link(more: Readonly<Record<string, string>> = {}): string {
    const given = { key: this.demo.publishableKey, backfill_days: '0', ...more }
    return `${this.url}/link/?${new URLSearchParams(given)}`
  }

  /** Creates a production application with these link origins. Returns its publishable key. */
  async production(linkOrigins: readonly string[]): Promise<string> {
    const db = await this.home.open()
    const { application, publishableKey } = await createApplication(db, {
      name: 'Ridgeline Dispatch',
      environment: 'prod',
      now: Date.now(),
    })
    await db.transaction((tx) =>
      tx.run('UPDATE `applications` SET `linkOrigins` = ? WHERE `id` = ?', [
        JSON.stringify(linkOrigins),
        application.id,
      ]),
    )
    await db.close()
    return publishableKey
  }

  /** Expires every link run: a run lasts an hour. */
  async endRuns(): Promise<void> {
    const db = await this.home.open()
    await db.transaction((tx) => tx.run('UPDATE `link_runs` SET `expiresAt` = 1'))
    await db.close()
  }

  /** Links an account as an integrator does. The connection syncs only on request. */
  connect(apiKey: string): Promise<Connection> {
    return this.odograph.connections.create({
      provider: 'sandbox',
      credentials: { apiKey },
      backfill: { days: 0 },
      syncMode: 'manual',
    })
  }

  connection({ token }: Pick<Connection, 'token'>): Promise<Connection> {
    return this.odograph.connection(token).get()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.service.end('SIGKILL')
    await this.provider?.[Symbol.asyncDispose]()
    await this.home.remove()
  }
}
