import { setTimeout as wait } from 'node:timers/promises'
import type { CallReport, RunningFake } from '../../fakes/kit/start-fake.ts'
import type { Values } from '../../support/providers/read-back/read-back-names.ts'
import type { Caller } from '../deletion/caller.ts'
import { linkThroughPages } from '../support/link-through-pages.ts'
import type { Counts, Site } from './sites.ts'
import type { Stage } from './stage.ts'

const LOOK_MS = 250
const TELL_MS = 10_000

interface SyncState {
  readonly status: string
  readonly progress: number
  readonly failureReason: string | null
  readonly issues: readonly { readonly error: { readonly message: string } }[]
}

/** Formats calls by endpoint; by key if there is only one endpoint. */
function callsIn({ byEndpoint, byKey }: Pick<CallReport, 'byEndpoint' | 'byKey'>): string {
  const counts = Object.entries(byEndpoint)
  const reported = counts.length > 1 ? counts : byKey.map(({ key, calls }) => [key, calls] as const)
  return reported.map(([what, count]) => `${what} ${count}`).join(', ')
}

/** A fleet that linked its account on the hosted pages. */
export class ProvenFleet {
  /** Time of the last sync, by the provider's clock. */
  syncedAt = 0

  private constructor(
    readonly site: Site,
    readonly fake: RunningFake,
    private readonly token: string,
    private readonly connectionId: string,
    /** Start of the read period. */
    readonly since: number,
  ) {}

  static async link(site: Site, fake: RunningFake, { caller }: Stage, since: number): Promise<ProvenFleet> {
    const { connectionId, token } = await linkThroughPages(caller, site.guest(fake.url), {
      syncMode: 'MANUAL',
      backfill: { startFrom: new Date(since).toISOString() },
    })
    return new ProvenFleet(site, fake, token, connectionId, since)
  }

  as = ({ caller }: Stage): Caller => caller.withToken(this.token)

  truth = (model: string, from: number, to: number): Promise<Values[]> =>
    this.fake.truth(model, { from: new Date(from).toISOString(), to: new Date(to).toISOString() })

  /** Runs a sync while the provider's clock stands. Returns its figures and failures. */
  async sync(harness: Stage, what: string): Promise<string[]> {
    const { provider } = this.site
    await this.fake.move({ now: new Date(harness.now).toISOString() })
    await this.fake.forgetCalls()
    harness.forgetMemory()
    const begun = performance.now()
    const { sync } = await this.as(harness).mutate<{ sync: { id: string; requestedAt: string } }>(
      'requestSync',
      {},
      'sync { id requestedAt }',
    )
    await this.fake.move({ now: sync.requestedAt })
    this.syncedAt = Date.parse(sync.requestedAt)
    const ended = await this.ended(harness, sync.id, `${provider}, ${what}`)
    const seconds = (performance.now() - begun) / 1000
    const { total, refused, ...calls } = await this.fake.calls()
    console.log(
      `${provider}, ${what}: ${ended.status} after ${seconds.toFixed(1)} s, ${total} calls, worker ${harness.mostMegabytes().toFixed(0)} MB at most`,
    )
    console.log(`  ${callsIn(calls)}`)
    return [
      ...(ended.status === 'COMPLETED' ? [] : [`${what} is ${ended.status}: ${ended.failureReason}`]),
      ...ended.issues.map(({ error }) => `${what}: ${error.message}`),
      ...(refused === 0 ? [] : [`${what}: ${refused} calls were refused`]),
    ].map((failure) => `${provider}: ${failure}`)
  }

  private async ended(harness: Stage, id: string, what: string): Promise<SyncState> {
    for (let toldAt = performance.now(); ; await wait(LOOK_MS)) {
      const { sync } = await this.as(harness).graphql<{ sync: SyncState }>(
        'query ($id: ID!) { sync(id: $id) { status progress failureReason issues { error { message } } } }',
        { id },
      )
      if (sync.status === 'COMPLETED' || sync.status === 'FAILED') return sync
      if (performance.now() - toldAt < TELL_MS) continue
      toldAt = performance.now()
      console.log(`  ${what}: ${sync.progress} %`)
    }
  }

  /** Turns the polling of current data on or off. */
  async poll(harness: Stage, isPolled: boolean): Promise<void> {
    const syncMode = isPolled ? 'AUTOMATIC' : 'MANUAL'
    const input = { connectionId: this.connectionId, syncMode }
    await this.as(harness).mutate('updateConnection', input, 'connection { id }')
  }

  minCalls = (counts: Counts): number => this.site.minCalls(counts)
}
