import type { Config } from '../../config.ts'
import { compose, type ComposedSubgraph } from '../../gateway/compose.ts'
import type { RemotePlace } from '../../gateway/remote/executor.ts'
import { fetchedSdl } from '../../gateway/remote/foreign-subgraphs.ts'
import { remotePlaces } from '../../gateway/remote/places.ts'
import { subgraphs } from '../../gateway/subgraphs.ts'
import { fail, type Finding, ok, told } from './finding.ts'

const TIMEOUT_MS = 5000

interface Asked {
  readonly finding: Finding
  readonly subgraph?: ComposedSubgraph
}

/** Whether the subgraphs in other processes answer, and an operator's own fit together with those of this build. */
export async function subgraphFindings({ subgraphUrls, subgraphSecret: secret }: Config): Promise<Finding[]> {
  const ours = subgraphs.map(({ name }): string => name)
  const places = remotePlaces(subgraphUrls, { ours, timeoutMs: TIMEOUT_MS, secret })
  const asked = await Promise.all(
    [...places.values()].map((place) => (place.isForeign ? askForeign(place) : askOurs(place))),
  )
  const foreign = asked.flatMap(({ subgraph }) => subgraph ?? [])
  const findings = asked.map(({ finding }) => finding)
  return foreign.length === 0 ? findings : [...findings, compositionFinding(foreign)]
}

/** One of ours is of this build; it tells its callers alone more than that it is there. */
async function askOurs({ line }: RemotePlace): Promise<Asked> {
  const { name, url } = line.address
  const advice = `start the process with --role subgraph:${name}, or correct SUBGRAPH_URLS`
  const answers = await line.answers()
  return {
    finding: answers
      ? ok(`subgraph ${name}`, url)
      : fail(`subgraph ${name}`, `${url} does not answer`, advice),
  }
}

async function askForeign(place: RemotePlace): Promise<Asked> {
  const { name, url } = place.line.address
  try {
    const sdl = await fetchedSdl(place)
    return { finding: ok(`subgraph ${name}`, url), subgraph: { name, sdl, url } }
  } catch (error) {
    return {
      finding: fail(`subgraph ${name}`, `${url}: ${told(error)}`, 'start it, or correct SUBGRAPH_URLS'),
    }
  }
}

function compositionFinding(foreign: readonly ComposedSubgraph[]): Finding {
  try {
    compose([...subgraphs, ...foreign])
    return ok('supergraph', `${subgraphs.length + foreign.length} subgraphs compose`)
  } catch (error) {
    return fail('supergraph', told(error), 'change the subgraph that is not of this service')
  }
}

/** Whether the sandbox provider answers, where one is named. */
export async function sandboxFindings({ sandboxUrl }: Config): Promise<Finding[]> {
  if (sandboxUrl === undefined) return []
  try {
    const { status } = await fetch(sandboxUrl, { signal: AbortSignal.timeout(TIMEOUT_MS) })
    return [ok('sandbox', `${sandboxUrl} answers ${status}`)]
  } catch (error) {
    const { cause } = error as { cause?: unknown }
    return [fail('sandbox', `${sandboxUrl}: ${told(cause ?? error)}`, 'start it, or correct SANDBOX_URL')]
  }
}
