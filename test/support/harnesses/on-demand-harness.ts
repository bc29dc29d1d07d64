import type { FastifyInstance } from 'fastify'
import { collapseSlashes, mountRest } from '../../../rest-compat/mount.ts'
import { eventTypes } from '../../../src/domain/event-catalog.ts'
import { authenticator } from '../../../src/auth/caller.ts'
import { createGateway } from '../../../src/gateway/gateway.ts'
import { createApp } from '../../../src/http/app.ts'
import type { LatestModel } from '../../../src/domain/record-models.ts'
import type { Dialect } from '../../../src/storage/sql/dialect.ts'
import { callerLookups } from '../../../src/subgraphs/connections/applications/caller-lookups.ts'
import { pollConnection } from '../../../src/sync/poll-connection.ts'
import { ConnectionsHarness, type Linked } from './connections-harness.ts'
import type { ApiClient } from '../factories.ts'
import { silent } from '../graph/graph-harness.ts'
import { headersOf } from '../rest/rest-harness.ts'

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  // oxlint-disable-next-line typescript/no-explicit-any -- a body is any JSON
  readonly body: any
}

/** Lists of current data: their REST path and the path at the simulated provider. */
export const lists = [
  { model: 'LatestVehicleLocation', path: '/vehicles/locations', providerPath: '/locations' },
  { model: 'LatestTrailerLocation', path: '/trailers/locations', providerPath: '/trailers/locations' },
  { model: 'HOSAvailableTime', path: '/hos/available-time', providerPath: '/hos/clocks' },
] as const satisfies readonly { model: LatestModel; path: string; providerPath: string }[]

export const [locationList] = lists

/** The REST layer over connections at the simulated provider. The clock moves only when a test moves it. */
export class OnDemandHarness {
  private constructor(
    readonly harness: ConnectionsHarness,
    private readonly app: FastifyInstance,
  ) {}

  /** The wait is long: on a slow machine a provider that responds must not time out. */
  static async start(
    dialect: Dialect,
    { liveTimeoutMs = 60_000, maxPollMs = 60_000 } = {},
  ): Promise<OnDemandHarness> {
    const harness = await ConnectionsHarness.start(dialect, { liveTimeoutMs, maxPollMs })
    const { db } = harness.tools
    const app = createApp({ log: silent, rewriteUrl: collapseSlashes })
    const gateway = createGateway({
      authenticate: authenticator(callerLookups(db)),
      contextFor: harness.contextFor,
      log: silent,
    })
    mountRest(app, { gateway, eventTypes, unknownParameters: 'refuse' })
    return new OnDemandHarness(harness, app)
  }

  /** Links a new account that the service reads only on demand. */
  manual(): Promise<Linked> {
    return this.harness.link(undefined, { syncMode: 'manual' as never })
  }

  async get(client: ApiClient, path: string): Promise<Answer> {
    const answer = await this.app.inject({ method: 'GET', url: `/tsp/v1${path}`, headers: headersOf(client) })
    return { status: answer.statusCode, headers: answer.headers, body: answer.json() }
  }

  async patch(client: ApiClient, body: object): Promise<void> {
    const url = '/tsp/v1/connections/current'
    const answer = await this.app.inject({ method: 'PATCH', url, headers: headersOf(client), payload: body })
    if (answer.statusCode !== 200) throw new Error(answer.body)
  }

  /** Returns the number of requests for a path at the provider. */
  async requestCount(linked: Linked, path: string = locationList.providerPath): Promise<number> {
    return (await this.harness.requests(linked))[path] ?? 0
  }

  poll({ id }: Linked, model: LatestModel = locationList.model): Promise<void> {
    const signal = new AbortController().signal
    return pollConnection(this.harness.tools, id, model, { id: 'poll', attempt: 1, signal })
  }

  async statusOf({ id }: Linked): Promise<string> {
    return (await this.harness.row<{ status: string }>('connections', id)).status
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.app.close()
    await this.harness[Symbol.asyncDispose]()
  }
}
