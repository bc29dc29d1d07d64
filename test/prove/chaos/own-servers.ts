import { TemporaryMariadb } from '../../support/database/temporary-mariadb.ts'
import { TemporaryRedis } from '../../support/queue/temporary-redis.ts'
import { SandboxProcess } from '../support/sandbox-process.ts'
import { StallingProxy } from './stalling-proxy.ts'

export const servers = ['database', 'redis', 'provider'] as const
export type ServerName = (typeof servers)[number]

/** The provider accepts a refresh token once only, as strict providers do. */
const PROVIDER = ['--rate-per-second', '1000', '--refresh-grace-seconds', '0', '--keep-reused-consent']

/** Servers of the proof, so that it may kill them, with a proxy before each. */
export class OwnServers implements AsyncDisposable {
  private constructor(
    readonly mariadb: TemporaryMariadb,
    readonly redis: TemporaryRedis,
    readonly sandbox: SandboxProcess,
    readonly proxies: Readonly<Record<ServerName, StallingProxy>>,
  ) {}

  static async start(): Promise<OwnServers> {
    const mariadb = await TemporaryMariadb.start()
    if (!mariadb) throw new Error('chaos needs MariaDB and Redis on PATH')
    const redis = await TemporaryRedis.start()
    const sandbox = await SandboxProcess.start([...PROVIDER])
    const proxies = {
      database: await StallingProxy.start(mariadb.port),
      redis: await StallingProxy.start(redis.port),
      provider: await StallingProxy.start(Number(new URL(sandbox.url).port)),
    }
    return new OwnServers(mariadb, redis, sandbox, proxies)
  }

  /** URLs of the proxies. */
  get behindProxies(): { readonly mysql: string; readonly redis: string; readonly sandbox: string } {
    const { database, redis, provider } = this.proxies
    return {
      mysql: `mysql://root@127.0.0.1:${database.port}`,
      redis: `redis://127.0.0.1:${redis.port}`,
      sandbox: `http://127.0.0.1:${provider.port}`,
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const proxy of Object.values(this.proxies)) await proxy[Symbol.asyncDispose]()
    await this.sandbox[Symbol.asyncDispose]()
    await this.redis[Symbol.asyncDispose]()
    await this.mariadb[Symbol.asyncDispose]()
  }
}
