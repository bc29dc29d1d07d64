import { setTimeout as wait } from 'node:timers/promises'
import { Random } from '../../fuzz/random.ts'
import type { SandboxProcess } from '../support/sandbox-process.ts'
import type { Ready } from '../support/service-process.ts'
import type { Client } from './client.ts'
import { changeFleet, type Fleet, linkFleet } from './fleets.ts'
import { type IncrementalReader, LogReader, readerAcross, restReader } from './readers.ts'
import { signInAtProvider } from './token-fleets.ts'

/** Sizes of the fleets that are linked at the start. */
const SIZES = [2, 3, 5, 8, 13, 21, 34, 60]
/** Sizes of those that sign in with OAuth. */
const TOKEN_SIZES = [2, 4, 6]
const MAX_FLEETS = 15
/** Pause of each reader and writer between requests. */
const PAUSE_MS = 400

/** Load during the faults: the world changes, callers request syncs, readers replicate. */
export class Workload {
  readonly fleets: Fleet[] = []
  /** The fleets that signed in with OAuth. */
  readonly tokenFleets: Fleet[] = []
  readonly readers: IncrementalReader[] = []
  readonly log: LogReader
  /** Ids of the accepted syncs. */
  readonly requested = new Set<string>()
  private readonly random: Random
  private readonly stop = new AbortController()
  private going: Promise<unknown> = Promise.resolve()
  private linked = 1

  constructor(
    private readonly client: Client,
    private readonly ready: Ready,
    private readonly sandbox: SandboxProcess,
    seed: number,
  ) {
    this.random = new Random(seed)
    this.log = new LogReader(client, ready.secretKey)
    const { connectionId, connectionToken: token, secretKey } = ready
    const credentials = { secretKey, token }
    this.fleets.push({ connectionId, apiKey: 'sandbox-5-1', size: 5, credentials, archived: false })
  }

  async begin(): Promise<void> {
    for (const size of SIZES) if (!(await this.link(size))) throw new Error('linking a fleet failed')
    const signIn = (user: string) => signInAtProvider(this.sandbox.url, user)
    for (const size of TOKEN_SIZES) {
      const fleet = await this.link(size, signIn)
      if (!fleet) throw new Error('linking a fleet with OAuth failed')
      this.tokenFleets.push(fleet)
    }
    const { client, ready } = this
    this.readers.push(readerAcross(client, ready.secretKey))
    for (const { credentials, connectionId } of this.fleets.slice(2, 6))
      this.readers.push(
        restReader(client, credentials, 'vehicles', connectionId),
        restReader(client, credentials, 'drivers', connectionId),
      )
    this.going = Promise.all([
      this.again(() => this.changeWorld()),
      this.again(() => this.askForSyncs(), 2),
      this.again(() => this.changeConnections(), 10),
      this.again(() => this.log.catchUp()),
      ...this.readers.map((reader) => this.again(() => reader.catchUp(), 2)),
    ])
  }

  /** Stops the load; accepted work continues. */
  async end(): Promise<void> {
    this.stop.abort()
    await this.going
  }

  /** Fleets whose data must equal the provider's. */
  get live(): readonly Fleet[] {
    return this.fleets.filter(({ archived }) => !archived)
  }

  private async again(work: () => Promise<unknown>, pauses = 1): Promise<void> {
    while (!this.stop.signal.aborted) {
      await work()
      await wait(pauses * PAUSE_MS)
    }
  }

  private async link(size: number, signIn?: (user: string) => Promise<object>): Promise<Fleet | null> {
    const account = { size, seed: ++this.linked, ...(signIn ? { signIn } : {}) }
    const fleet = await linkFleet(this.client, this.ready.secretKey, account)
    if (fleet) this.fleets.push(fleet)
    return fleet
  }

  /** A frozen provider also delays changes of its world. */
  private async changeWorld(): Promise<void> {
    for (const fleet of this.random.some(this.live, 0.5)) await changeFleet(fleet, this.sandbox, this.random)
  }

  /** Requests syncs of some connections, so that a fault always hits one, and cancels a few. */
  private askForSyncs = (): Promise<unknown> =>
    Promise.all(this.random.some(this.live, 0.5).map((fleet) => this.askForSync(fleet)))

  private async askForSync({ credentials }: Fleet): Promise<void> {
    const answer = await this.client.rest<{ id: string }>(credentials, 'POST', '/syncs', {})
    if (answer?.status !== 201) return
    const { id } = answer.body
    this.requested.add(id)
    if (this.random.chance(0.1)) await this.client.rest(credentials, 'POST', `/syncs/${id}/cancel`)
  }

  /** Links another fleet while there are few; otherwise archives one that no reader replicates. */
  private async changeConnections(): Promise<void> {
    if (this.live.length < MAX_FLEETS && this.random.chance(0.5)) {
      await this.link(1 + this.random.below(6))
      return
    }
    const fleet = this.fleets.slice(1 + SIZES.length + TOKEN_SIZES.length).find(({ archived }) => !archived)
    if (!fleet) return
    const body = { status: 'archived' }
    // A request without a response may have taken effect, so nothing is expected of this fleet any more.
    fleet.archived = true
    await this.client.rest(fleet.credentials, 'PATCH', '/connections/current', body)
  }
}
