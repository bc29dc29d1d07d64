import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from '../../platform/logging/log.ts'
import type { ComposedSubgraph } from '../compose.ts'
import type { RemoteSubgraph } from './remote-executor.ts'
import type { SubgraphClient } from './subgraph-client.ts'
import { invalidResponse } from './errors.ts'

interface DiscoveryOptions {
  /** Where the schemas that were composed last are kept. */
  readonly folder: string
  readonly log: Pick<Logger, 'warn'>
  /** How long a subgraph is waited for that has never been seen. */
  readonly timeoutMs?: number
}

const DISCOVERY_TIMEOUT_MS = 60_000
const RETRY_INTERVAL_MS = 1000

/**
 * What an operator's own subgraphs add, as they tell it themselves. One that does not answer is taken for what it was
 * when it was composed last; one that has never been seen is waited for, and without it the service does not start.
 */
export function loadCustomSubgraphs(
  locations: Iterable<RemoteSubgraph>,
  options: DiscoveryOptions,
): Promise<ComposedSubgraph[]> {
  const foreign = [...locations].filter(({ isForeign }) => isForeign)
  return Promise.all(
    foreign.map(async (location) => ({ name: location.client.name, sdl: await loadSdl(location, options) })),
  )
}

/** Keeps the schemas that have been composed, for a start while their subgraphs are down. */
export async function saveSchemas(subgraphs: readonly ComposedSubgraph[], folder: string): Promise<void> {
  if (subgraphs.length === 0) return
  await mkdir(folderIn(folder), { recursive: true })
  await Promise.all(subgraphs.map(({ name, sdl }) => writeFile(fileOf(name, folder), sdl)))
}

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
          'a subgraph does not answer: its last known schema is used',
        )
        return savedSdl
      }
      if (performance.now() >= until) throw notFound(client, cause)
      log.warn({ err: cause, subgraph: client.name }, 'waiting for a subgraph, to learn its schema')
      await wait(RETRY_INTERVAL_MS)
    }
  }
}

/** What a subgraph tells of itself now. */
export async function fetchSdl({ client, identityHeaders }: RemoteSubgraph): Promise<string> {
  const response = await client.read('', {
    method: 'POST',
    headers: { ...identityHeaders(ANONYMOUS), 'content-type': 'application/json' },
    body: '{"query":"{ _service { sdl } }"}',
  })
  const { data } = (await response.json()) as { data?: { _service?: { sdl?: unknown } } | null }
  const sdl = data?._service?.sdl
  if (typeof sdl !== 'string')
    throw invalidResponse(client.name, new Error('it did not tell its `_service { sdl }`'))
  return sdl
}

/** The gateway asks for itself. */
const ANONYMOUS = { forwarded: {}, identity: {} }

const notFound = ({ name, address }: SubgraphClient, cause: unknown) =>
  new Error(`the subgraph ${name} does not tell its schema at ${address.url}`, { cause })

function unlessMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}

const folderIn = (folder: string) => join(folder, 'subgraphs')
const fileOf = (name: string, folder: string) => join(folderIn(folder), `${name}.graphql`)
