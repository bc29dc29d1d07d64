import type { AddressInfo } from 'node:net'
import type { RemotePlace } from '../../src/gateway/remote/executor.ts'
import { remotePlaces } from '../../src/gateway/remote/places.ts'
import { subgraphs } from '../../src/gateway/subgraphs.ts'
import { createApp } from '../../src/http/app.ts'
import type { EventStreams } from '../../src/http/event-streams.ts'
import { mountSubgraph } from '../../src/http/subgraph.ts'
import type { Authenticate } from '../../src/auth/caller.ts'
import type { ContextFor } from '../../src/gateway/context.ts'
import type { Subgraph } from '../../src/subgraphs/define.ts'
import { silent } from './rig.ts'

interface ServerOptions {
  readonly authenticate: Authenticate
  readonly contextFor: ContextFor
  /** Any free one unless told. */
  readonly port?: number
}

export interface SubgraphServer extends AsyncDisposable {
  readonly url: string
  readonly port: number
  readonly streams: EventStreams
}

/** Serves one subgraph on a port of its own, as a process of its own does: it knows the caller by the headers alone. */
export async function serveSubgraph(
  subgraph: Subgraph,
  { port: asked = 0, ...options }: ServerOptions,
): Promise<SubgraphServer> {
  const app = createApp({ log: silent })
  const streams = mountSubgraph(app, subgraph, { ...options, log: silent })
  await app.listen({ port: asked, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/graphql`,
    port,
    streams,
    async [Symbol.asyncDispose]() {
      await streams.close()
      app.server.closeAllConnections()
      await app.close()
    },
  }
}

export const names = subgraphs.map(({ name }) => name)

/** Subgraphs as a gateway knows them by their addresses. */
export const placesAt = (urls: ReadonlyMap<string, string>, timeoutMs = 10_000): Map<string, RemotePlace> =>
  remotePlaces(urls, { ours: names, timeoutMs })
