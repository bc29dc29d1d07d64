import { type Config, servesCallers } from '../platform/config/config.ts'
import { loadCustomSubgraphs } from '../gateway/remote/custom-subgraphs.ts'
import type { SubgraphClient } from '../gateway/remote/subgraph-client.ts'
import type { RemoteSubgraph } from '../gateway/remote/remote-executor.ts'
import { createRemoteSubgraphs } from '../gateway/remote/registry.ts'
import { unavailable } from '../gateway/remote/errors.ts'
import { subgraphs } from '../gateway/subgraphs.ts'
import type { Check } from '../http/health.ts'
import type { Logger } from '../platform/logging/log.ts'

/** Remote subgraphs by name, and the schemas of custom subgraphs, which are not part of this build. */
export type RemoteSubgraphs = Awaited<ReturnType<typeof connectRemoteSubgraphs>>

/**
 * Creates the remote subgraphs, and loads the schemas of custom subgraphs. Only roles that serve callers have remote
 * subgraphs.
 */
export async function connectRemoteSubgraphs(
  { role, subgraphUrls, subgraphTimeoutSeconds, ...config }: Config,
  log: Logger,
) {
  if (!servesCallers(role)) return { remote: new Map<string, RemoteSubgraph>(), customSubgraphs: [] }
  const ownSubgraphs = subgraphs.map(({ name }): string => name)
  const remote = createRemoteSubgraphs(subgraphUrls, {
    ownSubgraphs,
    timeoutMs: subgraphTimeoutSeconds * 1000,
    secret: config.subgraphSecret,
  })
  return {
    remote,
    customSubgraphs: await loadCustomSubgraphs(remote.values(), { folder: config.dataDir, log }),
  }
}

/** Returns the readiness check of a remote subgraph. If it fails, the gateway is `degraded` but still ready. */
export const remoteSubgraphCheck = (client: SubgraphClient): Check => ({
  name: `subgraph ${client.name}`,
  isPartial: true,
  async run() {
    if (!(await client.answers())) throw unavailable(client.name)
  },
})
