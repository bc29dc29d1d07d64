import type { Config } from '../../platform/config/config.ts'
import { compose, type ComposedSubgraph } from '../../gateway/compose.ts'
import type { RemoteSubgraph } from '../../gateway/remote/remote-executor.ts'
import { fetchSdl } from '../../gateway/remote/custom-subgraphs.ts'
import { createRemoteSubgraphs } from '../../gateway/remote/registry.ts'
import { subgraphs } from '../../gateway/subgraphs.ts'
import { fail, type Finding, ok, describeError } from './finding.ts'
import { deadlineSignal } from '../../platform/lifecycle/deadline.ts'

const TIMEOUT_MS = 5000

interface CheckResult {
  readonly finding: Finding
  readonly subgraph?: ComposedSubgraph
}

/** Checks whether remote subgraphs answer, and whether custom subgraphs compose with those of this build. */
export async function subgraphFindings({ subgraphUrls, subgraphSecret: secret }: Config): Promise<Finding[]> {
  const ownSubgraphs = subgraphs.map(({ name }): string => name)
  const locations = createRemoteSubgraphs(subgraphUrls, { ownSubgraphs, timeoutMs: TIMEOUT_MS, secret })
  const request = await Promise.all(
    [...locations.values()].map((location) =>
      location.isCustom ? checkCustomSubgraph(location) : checkOwnSubgraph(location),
    ),
  )
  const foreign = request.flatMap(({ subgraph }) => subgraph ?? [])
  const findings = request.map(({ finding }) => finding)
  return foreign.length === 0 ? findings : [...findings, compositionFinding(foreign)]
}

/** Checks one of Odograph's own subgraphs. It is of this build, so it needs to answer and nothing more. */
async function checkOwnSubgraph({ client }: RemoteSubgraph): Promise<CheckResult> {
  const { name, url } = client.address
  const advice = `start the process with --role subgraph:${name}, or correct SUBGRAPH_URLS`
  const answers = await client.answers()
  return {
    finding: answers
      ? ok(`subgraph ${name}`, url)
      : fail(`subgraph ${name}`, `${url} does not answer`, advice),
  }
}

async function checkCustomSubgraph(location: RemoteSubgraph): Promise<CheckResult> {
  const { name, url } = location.client.address
  try {
    const sdl = await fetchSdl(location)
    return { finding: ok(`subgraph ${name}`, url), subgraph: { name, sdl, url } }
  } catch (error) {
    return {
      finding: fail(
        `subgraph ${name}`,
        `${url}: ${describeError(error)}`,
        'start it, or correct SUBGRAPH_URLS',
      ),
    }
  }
}

function compositionFinding(foreign: readonly ComposedSubgraph[]): Finding {
  try {
    compose([...subgraphs, ...foreign])
    return ok('supergraph', `${subgraphs.length + foreign.length} subgraphs compose`)
  } catch (error) {
    return fail('supergraph', describeError(error), 'change the custom subgraph')
  }
}

/** Checks whether the sandbox provider answers, if SANDBOX_URL names one. */
export async function sandboxFindings({ sandboxUrl }: Config): Promise<Finding[]> {
  if (sandboxUrl === undefined) return []
  try {
    const { status } = await fetch(sandboxUrl, { signal: deadlineSignal(TIMEOUT_MS) })
    return [ok('sandbox', `${sandboxUrl} answers ${status}`)]
  } catch (error) {
    const { cause } = error as { cause?: unknown }
    return [
      fail('sandbox', `${sandboxUrl}: ${describeError(cause ?? error)}`, 'start it, or correct SANDBOX_URL'),
    ]
  }
}
