import { isDeepStrictEqual } from 'node:util'
import autocannon from 'autocannon'
import type { Fleet } from './fleet.ts'
import { compared, type Measured } from './report.ts'
import { inTurn, type Running } from './rounds.ts'
import { type RunningServer, runServer } from './run-server.ts'
import type { Store } from './stores.ts'
import { type WorkloadName, workloads } from './workloads.ts'

/**
 * Compares the service with a hand-written server over HTTP. First asserts that their responses are equal. Then
 * measures the servers in alternating rounds, so they never run at the same time.
 */

const CONNECTIONS = 10

interface BenchRequest {
  readonly url: string
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

interface Side {
  readonly server: RunningServer
  readonly request: BenchRequest
}

export async function compareServers(
  { location, fleet }: Store,
  names: readonly WorkloadName[],
  running: Running,
): Promise<void> {
  using ours = await runServer('ours', location, fleet)
  using hand = await runServer('hand', location, fleet)
  for (const name of names) {
    const sides = [
      { server: ours, request: requestFor(ours.url + workloads[name].path, name, fleet) },
      {
        server: hand,
        request: requestFor(
          `${hand.url}/${name}${new URL(ours.url + workloads[name].path).search}`,
          name,
          fleet,
        ),
      },
    ] as const
    await assertEqualResponses(name, sides)
    const [a, b] = await inTurn(sides, running, measureRound)
    running.report(
      compared({
        group: location.store,
        name,
        goal: workloads[name].goals[location.store],
        ours: a,
        baseline: b,
      }),
    )
  }
}

/** Builds the request of a workload. Only the URL differs between the servers. */
function requestFor(
  url: string,
  name: WorkloadName,
  { secretKey, connectionToken, ...fleet }: Fleet,
): BenchRequest {
  const { query, variables } = workloads[name]
  const headers = { authorization: `Bearer ${secretKey}`, 'connection-token': connectionToken }
  if (query === undefined) return { url, method: 'GET', headers }
  const body = JSON.stringify({ query, variables: variables?.(fleet) })
  return { url, method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body }
}

async function assertEqualResponses(name: WorkloadName, [ours, hand]: readonly [Side, Side]): Promise<void> {
  const baseline = await responseOf(hand.request)
  // The executor compiles an operation at its second request, so the first response does not show that later ones are
  // equal.
  for (let time = 0; time < 3; time++) {
    const response = await responseOf(ours.request)
    if (!isDeepStrictEqual(response, baseline))
      throw new Error(
        `${name}: the responses differ\n${JSON.stringify(response).slice(0, 600)}\n${JSON.stringify(baseline).slice(0, 600)}`,
      )
  }
}

/**
 * Sends a request and parses the body of its response. Replaces the cursor `next` by its type, because each server
 * signs cursors with its own key.
 */
async function responseOf({ url, ...request }: BenchRequest): Promise<unknown> {
  const response = await fetch(url, request)
  const text = await response.text()
  if (!response.ok) throw new Error(`${url}: ${response.status} ${text}`)
  const body = JSON.parse(text) as { next?: unknown }
  return { ...body, next: typeof body.next }
}

async function measureRound({ server, request }: Side, duration: number): Promise<Measured> {
  const before = await server.cpuMicroseconds()
  const {
    '2xx': succeeded,
    non2xx,
    errors,
    duration: elapsed,
  } = await autocannon({ ...request, connections: CONNECTIONS, duration, sampleInt: 50 })
  const cpu = (await server.cpuMicroseconds()) - before
  if (non2xx + errors > 0 || succeeded === 0)
    throw new Error(`${request.url}: ${succeeded} succeeded, ${non2xx} refused, ${errors} failed`)
  return { perSecond: succeeded / elapsed, cpuMicroseconds: cpu / succeeded }
}
