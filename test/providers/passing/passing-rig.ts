import type { ProviderAdapter } from '../../../src/providers/provider.ts'
import type { Dialect } from '../../../src/storage/dialect.ts'
import { ConnectionsRig, type Linked } from '../../connections/rig.ts'
import { NOON } from '../../factories.ts'
import { type RunningFake, startFake } from '../../fakes/kit/start-fake.ts'
import { type Heard, type Recorder, startRecorder } from './recorder.ts'
import { subjects } from './subjects.ts'

/** A connection at the fake of a provider, at whose door is heard what was passed to it. */
export class PassingRig implements AsyncDisposable {
  private constructor(
    private readonly fake: RunningFake,
    private readonly door: Recorder,
    private readonly rig: ConnectionsRig,
    private readonly linked: Linked,
  ) {}

  static async start(provider: string, dialect: Dialect): Promise<PassingRig> {
    const subject = subjects.find((one) => one.provider === provider)!
    const now = new Date(NOON).toISOString()
    const fake = await startFake(subject.provider, { now, vehicles: 2, days: 1, accounts: 10 })
    const door = await startRecorder(fake.url)
    const rig = await ConnectionsRig.start(dialect)
    const own = subject.adapter(door.url, rig.tools.clock)
    // The rig knows of one provider: it is called that.
    const adapter: ProviderAdapter = { ...own, manifest: { ...own.manifest, code: 'sandbox' } }
    rig.adapt = () => adapter
    const linked = await rig.link(undefined, {
      provider: adapter,
      credentials: subject.credentials(door.url),
    })
    return new PassingRig(fake, door, rig, linked)
  }

  pass(method: string, path: string, body: string | null = null, headers: object = {}) {
    const input = { method, path, body, headers }
    return this.rig.mutate(this.linked.party, 'passthrough', input, 'response { statusCode response }')
  }

  get heard(): readonly Heard[] {
    return this.door.heard
  }

  forget(): void {
    this.door.heard.length = 0
  }

  async [Symbol.asyncDispose]() {
    await this.rig[Symbol.asyncDispose]()
    await this.door[Symbol.asyncDispose]()
    await this.fake[Symbol.asyncDispose]()
  }
}
