import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from '../../log.ts'
import type { ComposedSubgraph } from '../compose.ts'
import type { RemotePlace } from './executor.ts'
import type { Line } from './line.ts'
import { garbled } from './unavailable.ts'

interface Finding {
  /** Where the schemas that were composed last are kept. */
  readonly folder: string
  readonly log: Pick<Logger, 'warn'>
  /** How long a subgraph is waited for that has never been seen. */
  readonly patienceMs?: number
}

const PATIENCE_MS = 60_000
const EVERY_MS = 1000

/**
 * What an operator's own subgraphs add, as they tell it themselves. One that does not answer is taken for what it was
 * when it was composed last; one that has never been seen is waited for, and without it the service does not start.
 */
export function foreignSubgraphs(
  places: Iterable<RemotePlace>,
  finding: Finding,
): Promise<ComposedSubgraph[]> {
  const foreign = [...places].filter(({ isForeign }) => isForeign)
  return Promise.all(
    foreign.map(async (place) => ({ name: place.line.name, sdl: await sdlOf(place, finding) })),
  )
}

/** Keeps the schemas that have been composed, for a start while their subgraphs are down. */
export async function keepSchemas(subgraphs: readonly ComposedSubgraph[], folder: string): Promise<void> {
  if (subgraphs.length === 0) return
  await mkdir(folderIn(folder), { recursive: true })
  await Promise.all(subgraphs.map(({ name, sdl }) => writeFile(fileOf(name, folder), sdl)))
}

async function sdlOf(
  place: RemotePlace,
  { folder, log, patienceMs = PATIENCE_MS }: Finding,
): Promise<string> {
  const { line } = place
  const until = performance.now() + patienceMs
  for (;;) {
    try {
      return await fetchedSdl(place)
    } catch (cause) {
      const kept = await readFile(fileOf(line.name, folder), 'utf8').catch(unlessMissing)
      if (kept !== null) {
        log.warn(
          { err: cause, subgraph: line.name },
          'a subgraph does not answer: its last known schema is used',
        )
        return kept
      }
      if (performance.now() >= until) throw notFound(line, cause)
      log.warn({ err: cause, subgraph: line.name }, 'waiting for a subgraph, to learn its schema')
      await wait(EVERY_MS)
    }
  }
}

/** What a subgraph tells of itself now. */
export async function fetchedSdl({ line, introduce }: RemotePlace): Promise<string> {
  const response = await line.read('', {
    method: 'POST',
    headers: { ...introduce(NOBODY), 'content-type': 'application/json' },
    body: '{"query":"{ _service { sdl } }"}',
  })
  const { data } = (await response.json()) as { data?: { _service?: { sdl?: unknown } } | null }
  const sdl = data?._service?.sdl
  if (typeof sdl !== 'string') throw garbled(line.name, new Error('it did not tell its `_service { sdl }`'))
  return sdl
}

/** The gateway asks for itself. */
const NOBODY = { forwarded: {}, introduced: {} }

const notFound = ({ name, address }: Line, cause: unknown) =>
  new Error(`the subgraph ${name} does not tell its schema at ${address.url}`, { cause })

function unlessMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}

const folderIn = (folder: string) => join(folder, 'subgraphs')
const fileOf = (name: string, folder: string) => join(folderIn(folder), `${name}.graphql`)
