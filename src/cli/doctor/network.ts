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

/**
 * Checks whether remote subgraphs answer. Also checks whether custom subgraphs, which other programs implement, compose
 * with those of this build.
 */
export async function subgraphFindings({ subgraphUrls, subgraphSecret: secret }: Config): Promise<Finding[]> {
  const ownSubgraphs = subgraphs.map(({ name }): string => name)
  const locations = createRemoteSubgraphs(subgraphUrls, { ownSubgraphs, timeoutMs: TIMEOUT_MS, secret })
  const results = await Promise.all(
    [...locations.values()].map((location) =>
      location.isCustom ? checkCustomSubgraph(location) : checkOwnSubgraph(location),
    ),
  )
  const custom = results.flatMap(({ subgraph }) => subgraph ?? [])
  const findings = results.map(({ finding }) => finding)
  return custom.length === 0 ? findings : [...findings, compositionFinding(custom)]
}

/** Checks whether one of Odograph's own subgraphs answers. Its schema is that of this build, so it needs no check. */
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

function compositionFinding(custom: readonly ComposedSubgraph[]): Finding {
  try {
    compose([...subgraphs, ...custom])
    return ok('supergraph', `${subgraphs.length + custom.length} subgraphs compose`)
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
