import type { RemoteSubgraph } from './remote-executor.ts'
import { forwardedCredentials, signedIdentity } from './identity-headers.ts'
import { SubgraphClient } from './subgraph-client.ts'

interface RegistryOptions {
  /** Names of this service's own subgraphs; only these get the caller's keys. */
  readonly ownSubgraphs: readonly string[]
  readonly timeoutMs: number
  /** Secret that signs the identity headers for custom subgraphs. */
  readonly secret?: string | undefined
}

/** Creates the remote subgraphs by name, from their URLs. */
export function createRemoteSubgraphs(
  urls: ReadonlyMap<string, string>,
  { ownSubgraphs, timeoutMs, secret }: RegistryOptions,
): Map<string, RemoteSubgraph> {
  const isCustom = (name: string) => !ownSubgraphs.includes(name)
  return new Map(
    [...urls].map(([name, url]): [string, RemoteSubgraph] => [
      name,
      {
        client: new SubgraphClient({ name, url, timeoutMs }),
        identityHeaders: isCustom(name) ? signedIdentity(secret) : forwardedCredentials,
        isCustom: isCustom(name),
      },
    ]),
  )
}
