import type { FastifyInstance } from 'fastify'
import { collapseSlashes, mountRest } from '../../rest-compat/mount.ts'
import { authenticator } from '../../src/auth/caller.ts'
import { createGateway } from '../../src/gateway/gateway.ts'
import { createApp } from '../../src/http/app.ts'
import type { LatestModel } from '../../src/models.ts'
import type { Dialect } from '../../src/storage/dialect.ts'
import { callerLookups } from '../../src/subgraphs/connections/applications/caller-lookups.ts'
import { pollLatest } from '../../src/sync/poll-latest.ts'
import { ConnectionsRig, type Linked } from '../connections/rig.ts'
import type { Party } from '../factories.ts'
import { silent } from '../graph/rig.ts'
import { headersOf } from '../rest/rig.ts'

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  // oxlint-disable-next-line typescript/no-explicit-any -- a body is whatever came
  readonly body: any
}

/** What is only of now: where it is asked for here, and at the simulated provider. */
export const lists = [
  { model: 'LatestVehicleLocation', path: '/vehicles/locations', asks: '/locations' },
  { model: 'LatestTrailerLocation', path: '/trailers/locations', asks: '/trailers/locations' },
  { model: 'HOSAvailableTime', path: '/hos/available-time', asks: '/hos/clocks' },
] as const satisfies readonly { model: LatestModel; path: string; asks: string }[]

export const [places] = lists

/** The REST layer over connections at the simulated provider, with a clock that stands until it is moved. */
export class LiveRig {
  private constructor(
    readonly rig: ConnectionsRig,
    private readonly app: FastifyInstance,
  ) {}

  /** No machine is so slow that a provider that answers is not waited for. */
  static async start(
    dialect: Dialect,
    { liveTimeoutMs = 60_000, longestPollMs = 60_000 } = {},
  ): Promise<LiveRig> {
    const rig = await ConnectionsRig.start(dialect, { liveTimeoutMs, longestPollMs })
    const { db } = rig.tools
    const app = createApp({ log: silent, rewriteUrl: collapseSlashes })
    const gateway = createGateway({
      authenticate: authenticator(callerLookups(db)),
      contextFor: rig.contextFor,
      log: silent,
    })
    mountRest(app, { gateway, unknownParameters: 'refuse' })
    return new LiveRig(rig, app)
  }

  /** Links an account of its own that is read when somebody asks. */
  manual(): Promise<Linked> {
    return this.rig.link(undefined, { syncMode: 'manual' as never })
  }

  async get(party: Party, path: string): Promise<Answer> {
    const answer = await this.app.inject({ method: 'GET', url: `/tsp/v1${path}`, headers: headersOf(party) })
    return { status: answer.statusCode, headers: answer.headers, body: answer.json() }
  }

  async patch(party: Party, body: object): Promise<void> {
    const url = '/tsp/v1/connections/current'
    const answer = await this.app.inject({ method: 'PATCH', url, headers: headersOf(party), payload: body })
    if (answer.statusCode !== 200) throw new Error(answer.body)
  }

  /** How often the provider was asked for it. */
  async askedFor(linked: Linked, path: string = places.asks): Promise<number> {
    return (await this.rig.requests(linked))[path] ?? 0
  }

  poll({ id }: Linked, model: LatestModel = places.model): Promise<void> {
    const signal = new AbortController().signal
    return pollLatest(this.rig.tools, id, model, { id: 'poll', attempt: 1, signal })
  }

  async statusOf({ id }: Linked): Promise<string> {
    return (await this.rig.row<{ status: string }>('connections', id)).status
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.app.close()
    await this.rig[Symbol.asyncDispose]()
  }
}
