import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from '../../platform/logging/log.ts'
import type { ComposedSubgraph } from '../compose.ts'
import type { RemoteSubgraph } from './remote-executor.ts'
import type { SubgraphClient } from './subgraph-client.ts'
import { invalidResponse } from './errors.ts'

interface DiscoveryOptions {
  /** Data folder, in which the schemas are saved. */
  readonly folder: string
  readonly log: Pick<Logger, 'warn'>
  /** Maximum wait in ms for a subgraph without a saved schema. */
  readonly timeoutMs?: number
}

const DISCOVERY_TIMEOUT_MS = 60_000
const RETRY_INTERVAL_MS = 1000

/**
 * Loads the schemas of the custom subgraphs from the subgraphs themselves. If one does not answer, its saved
 * schema is used. Without a saved schema, the function waits for the subgraph and throws after the timeout.
 */
export function loadCustomSubgraphs(
  locations: Iterable<RemoteSubgraph>,
  options: DiscoveryOptions,
): Promise<ComposedSubgraph[]> {
  const custom = [...locations].filter(({ isCustom }) => isCustom)
  return Promise.all(
    custom.map(async (location) => ({ name: location.client.name, sdl: await loadSdl(location, options) })),
  )
}

/** Saves the schemas of the custom subgraphs. The next start needs them if a subgraph is down. */
export async function saveSchemas(subgraphs: readonly ComposedSubgraph[], folder: string): Promise<void> {
  if (subgraphs.length === 0) return
  await mkdir(folderIn(folder), { recursive: true })
  await Promise.all(subgraphs.map(({ name, sdl }) => writeFile(fileOf(name, folder), sdl)))
}

/** Returns the current schema of a subgraph, else its saved schema. */
async function loadSdl(
  location: RemoteSubgraph,
  { folder, log, timeoutMs = DISCOVERY_TIMEOUT_MS }: DiscoveryOptions,
): Promise<string> {
  const { client } = location
  const until = performance.now() + timeoutMs
  for (;;) {
    try {
      return await fetchSdl(location)
    } catch (cause) {
      const savedSdl = await readFile(fileOf(client.name, folder), 'utf8').catch(unlessMissing)
      if (savedSdl !== null) {
        log.warn(
          { err: cause, subgraph: client.name },
          'subgraph schema fetch failed, using the saved schema',
        )
        return savedSdl
      }
      if (performance.now() >= until) throw schemaUnavailable(client, cause)
      log.warn({ err: cause, subgraph: client.name }, 'subgraph schema fetch failed, retrying')
      await wait(RETRY_INTERVAL_MS)
    }
  }
}

/** Fetches the schema that a subgraph currently has. */
export async function fetchSdl({ client, identityHeaders }: RemoteSubgraph): Promise<string> {
  const response = await client.read('', {
    method: 'POST',
    headers: { ...identityHeaders(ANONYMOUS), 'content-type': 'application/json' },
    body: '{"query":"{ _service { sdl } }"}',
  })
  const { data } = (await response.json()) as { data?: { _service?: { sdl?: unknown } } | null }
  const sdl = data?._service?.sdl
  if (typeof sdl !== 'string')
    throw invalidResponse(client.name, new Error('the response has no `_service { sdl }`'))
  return sdl
}

/** Context of a request without a caller. */
const ANONYMOUS = { forwarded: {}, identity: {} }

const schemaUnavailable = ({ name, address }: SubgraphClient, cause: unknown) =>
  new Error(
    `the subgraph ${name} did not return its schema at ${address.url}: start it, or correct its URL in SUBGRAPH_URLS`,
    { cause },
  )

function unlessMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}

const folderIn = (folder: string) => join(folder, 'subgraphs')
const fileOf = (name: string, folder: string) => join(folderIn(folder), `${name}.graphql`)
