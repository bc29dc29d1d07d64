import { type Config, serves } from './config.ts'
import { foreignSubgraphs } from './gateway/remote/foreign-subgraphs.ts'
import type { Line } from './gateway/remote/line.ts'
import type { RemotePlace } from './gateway/remote/executor.ts'
import { remotePlaces } from './gateway/remote/places.ts'
import { unavailable } from './gateway/remote/unavailable.ts'
import { subgraphs } from './gateway/subgraphs.ts'
import type { Check } from './http/health.ts'
import type { Logger } from './log.ts'

/** What other processes serve of the graph. */
export type Elsewhere = Awaited<ReturnType<typeof elsewhere>>

/** The subgraphs in other processes, and what an operator's own ones add; a gateway alone asks any. */
export async function elsewhere(
  { role, subgraphUrls, subgraphTimeoutSeconds, ...config }: Config,
  log: Logger,
) {
  if (!serves(role)) return { remote: new Map<string, RemotePlace>(), foreign: [] }
  const ours = subgraphs.map(({ name }): string => name)
  const remote = remotePlaces(subgraphUrls, {
    ours,
    timeoutMs: subgraphTimeoutSeconds * 1000,
    secret: config.subgraphSecret,
  })
  return { remote, foreign: await foreignSubgraphs(remote.values(), { folder: config.dataDir, log }) }
}

/** Whether a subgraph in another process answers. */
export const checkOf = (line: Line): Check => ({
  name: `subgraph ${line.name}`,
  isPartial: true,
  async run() {
    if (!(await line.answers())) throw unavailable(line.name)
  },
})
