import type { Database } from '../../../src/storage/database.ts'
import { TemporaryRedis } from '../../support/queue/temporary-redis.ts'
import { SandboxProcess } from '../support/sandbox-process.ts'
import { type Home, makeHome, ServiceProcess, type Store } from '../support/service-process.ts'
import { LOOPBACK } from '../support/webhook-endpoints.ts'

const NEIGHBOUR_VEHICLES = '3'

/** A service as `npm start` runs it, with a Redis of its own. Its demo data is a second fleet, which is not deleted. */
export class Stage implements AsyncDisposable {
  private constructor(
    readonly home: Home,
    readonly db: Database,
    readonly redis: TemporaryRedis | null,
    readonly sandbox: SandboxProcess,
    readonly parts: readonly ServiceProcess[],
  ) {}

  static async start(store: Store): Promise<Stage> {
    const redis = store === 'mariadb' ? await TemporaryRedis.start() : null
    const sandbox = await SandboxProcess.start()
    const home = await makeHome(store, redis ? { redis: redis.url } : {})
    const shared = {
      ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
      SANDBOX_URL: sandbox.url,
      LOCATION_POLL_SECONDS: '1',
      LOG_LEVEL: 'debug',
      WEBHOOK_ALLOW: LOOPBACK,
    }
    const roles = redis ? ['gateway', 'worker'] : ['all']
    const parts: ServiceProcess[] = []
    for (const [at, role] of roles.entries()) {
      const options = ['--role', role, '--fleet-size', NEIGHBOUR_VEHICLES]
      parts.push(await ServiceProcess.start(home, options, at === 0 ? shared : { ...shared, DEMO: 'off' }))
    }
    return new Stage(home, await home.open(), redis, sandbox, parts)
  }

  /** Process that callers use. */
  get service(): ServiceProcess {
    const [first] = this.parts
    if (!first) throw new Error('the service is not running')
    return first
  }

  /** Returns the log output of all its processes. */
  logged = (): string => this.parts.map(({ output }) => output()).join('')

  async [Symbol.asyncDispose](): Promise<void> {
    for (const part of this.parts) await part.end()
    await this.sandbox[Symbol.asyncDispose]()
    await this.db.close()
    await this.home.remove()
    await this.redis?.[Symbol.asyncDispose]()
  }
}
