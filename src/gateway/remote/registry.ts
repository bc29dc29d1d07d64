import type { RemoteSubgraph } from './remote-executor.ts'
import { forwardedCredentials, signedIdentity } from './identity-headers.ts'
import { SubgraphClient } from './subgraph-client.ts'

interface RegistryOptions {
  /** The names of this service's own subgraphs: those alone are given the caller's keys. */
  readonly ownSubgraphs: readonly string[]
  readonly timeoutMs: number
  /** What the introductions of callers to an operator's own subgraphs are signed with. */
  readonly secret?: string | undefined
}

/** The subgraphs that are in other processes, by their addresses. */
export function createRemoteSubgraphs(
  urls: ReadonlyMap<string, string>,
  { ownSubgraphs, timeoutMs, secret }: RegistryOptions,
): Map<string, RemoteSubgraph> {
  const isForeign = (name: string) => !ownSubgraphs.includes(name)
  return new Map(
    [...urls].map(([name, url]): [string, RemoteSubgraph] => [
      name,
      {
        client: new SubgraphClient({ name, url, timeoutMs }),
        identityHeaders: isForeign(name) ? signedIdentity(secret) : forwardedCredentials,
        isForeign: isForeign(name),
      },
    ]),
  )
}
