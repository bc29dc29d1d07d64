import type { ProviderAdapter } from '../../../../src/providers/provider.ts'
import type { Dialect } from '../../../../src/storage/sql/dialect.ts'
import { ConnectionsHarness, type Linked } from '../../harnesses/connections-harness.ts'
import { NOON } from '../../factories.ts'
import { type RunningFake, startFake } from '../../../fakes/kit/start-fake.ts'
import { type RecordedRequest, type RequestRecorder, startRequestRecorder } from './request-recorder.ts'
import { subjects } from './passthrough-subjects.ts'

/** A connection at the fake of a provider, behind a recorder of its requests. */
export class PassthroughHarness implements AsyncDisposable {
  private constructor(
    private readonly fake: RunningFake,
    private readonly door: RequestRecorder,
    private readonly harness: ConnectionsHarness,
    private readonly linked: Linked,
  ) {}

  static async start(provider: string, dialect: Dialect): Promise<PassthroughHarness> {
    const subject = subjects.find((one) => one.provider === provider)!
    const now = new Date(NOON).toISOString()
    const fake = await startFake(subject.provider, { now, vehicles: 2, days: 1, accounts: 10 })
    const door = await startRequestRecorder(fake.url)
    const harness = await ConnectionsHarness.start(dialect)
    const own = subject.adapter(door.url, harness.tools.clock)
    // The harness knows one provider code: the adapter takes it.
    const adapter: ProviderAdapter = { ...own, manifest: { ...own.manifest, code: 'sandbox' } }
    harness.adapt = () => adapter
    const linked = await harness.link(undefined, {
      provider: adapter,
      credentials: subject.credentials(door.url),
    })
    return new PassthroughHarness(fake, door, harness, linked)
  }

  pass(method: string, path: string, body: string | null = null, headers: object = {}) {
    const input = { method, path, body, headers }
    return this.harness.mutate(this.linked.client, 'passthrough', input, 'response { statusCode response }')
  }

  get heard(): readonly RecordedRequest[] {
    return this.door.heard
  }

  forget(): void {
    this.door.heard.length = 0
  }

  async [Symbol.asyncDispose]() {
    await this.harness[Symbol.asyncDispose]()
    await this.door[Symbol.asyncDispose]()
    await this.fake[Symbol.asyncDispose]()
  }
}
