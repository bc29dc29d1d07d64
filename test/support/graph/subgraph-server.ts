import type { AddressInfo } from 'node:net'
import type { RemoteSubgraph } from '../../../src/gateway/remote/remote-executor.ts'
import { createRemoteSubgraphs } from '../../../src/gateway/remote/registry.ts'
import { subgraphs } from '../../../src/gateway/subgraphs.ts'
import { createApp } from '../../../src/http/app.ts'
import type { SubscriptionStreams } from '../../../src/http/sse/subscription-streams.ts'
import { mountSubgraphEndpoint } from '../../../src/http/graphql/subgraph-endpoint.ts'
import type { Authenticate } from '../../../src/auth/caller.ts'
import type { ContextFor } from '../../../src/gateway/context.ts'
import type { Subgraph } from '../../../src/subgraphs/schema/build-subgraph.ts'
import { silent } from './graph-harness.ts'

interface ServerOptions {
  readonly authenticate: Authenticate
  readonly contextFor: ContextFor
  /** Default: any free port. */
  readonly port?: number
}

export interface SubgraphServer extends AsyncDisposable {
  readonly url: string
  readonly port: number
  readonly streams: SubscriptionStreams
}

/**
 * Serves one subgraph on a port of its own as a separate process does: it knows the caller only from the
 * headers.
 */
export async function serveSubgraph(
  subgraph: Subgraph,
  { port: requested = 0, ...options }: ServerOptions,
): Promise<SubgraphServer> {
  const app = createApp({ log: silent })
  const streams = mountSubgraphEndpoint(app, subgraph, { ...options, log: silent })
  await app.listen({ port: requested, host: '127.0.0.1' })
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

/** Returns the subgraph addresses as a gateway receives them. */
export const remoteSubgraphsAt = (
  urls: ReadonlyMap<string, string>,
  timeoutMs = 10_000,
): Map<string, RemoteSubgraph> => createRemoteSubgraphs(urls, { ownSubgraphs: names, timeoutMs })
