import { isDeepStrictEqual } from 'node:util'
import autocannon from 'autocannon'
import type { Fleet } from './fleet.ts'
import { compared, type Measured } from './report.ts'
import { inTurn, type Running } from './rounds.ts'
import { type RunningServer, runServer } from './run-server.ts'
import type { Store } from './stores.ts'
import { type WorkloadName, workloads } from './workloads.ts'

/** Both servers side by side over HTTP: the same answers, then rounds in turn so that they never run at once. */

const CONNECTIONS = 10

interface Sent {
  readonly url: string
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

interface Side {
  readonly server: RunningServer
  readonly sent: Sent
}

export async function compareServers(
  { place, fleet }: Store,
  names: readonly WorkloadName[],
  running: Running,
): Promise<void> {
  using ours = await runServer('ours', place, fleet)
  using hand = await runServer('hand', place, fleet)
  for (const name of names) {
    const sides = [
      { server: ours, sent: sent(ours.url + workloads[name].path, name, fleet) },
      {
        server: hand,
        sent: sent(`${hand.url}/${name}${new URL(ours.url + workloads[name].path).search}`, name, fleet),
      },
    ] as const
    await assertEqualAnswers(name, sides)
    const [a, b] = await inTurn(sides, running, roundOf)
    running.tell(
      compared({ group: place.store, name, goal: workloads[name].goals[place.store], ours: a, baseline: b }),
    )
  }
}

/** Both servers are sent the same but for the path. */
function sent(url: string, name: WorkloadName, { secretKey, connectionToken, ...fleet }: Fleet): Sent {
  const { query, variables } = workloads[name]
  const headers = { authorization: `Bearer ${secretKey}`, 'connection-token': connectionToken }
  if (query === undefined) return { url, method: 'GET', headers }
  const body = JSON.stringify({ query, variables: variables?.(fleet) })
  return { url, method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body }
}

async function assertEqualAnswers(name: WorkloadName, [ours, hand]: readonly [Side, Side]): Promise<void> {
  const baseline = await answerOf(hand.sent)
  // More than once: an operation is compiled when it comes again.
  for (let time = 0; time < 3; time++) {
    const answer = await answerOf(ours.sent)
    if (!isDeepStrictEqual(answer, baseline))
      throw new Error(
        `${name}: the answers differ\n${JSON.stringify(answer).slice(0, 600)}\n${JSON.stringify(baseline).slice(0, 600)}`,
      )
  }
}

/** The body; each server signs cursors with a key of its own, so that one is there is all that counts. */
async function answerOf({ url, ...request }: Sent): Promise<unknown> {
  const response = await fetch(url, request)
  const text = await response.text()
  if (!response.ok) throw new Error(`${url}: ${response.status} ${text}`)
  const answer = JSON.parse(text) as { next?: unknown }
  return { ...answer, next: typeof answer.next }
}

async function roundOf({ server, sent }: Side, duration: number): Promise<Measured> {
  const before = await server.cpuMicroseconds()
  const {
    '2xx': answered,
    non2xx,
    errors,
    duration: took,
  } = await autocannon({ ...sent, connections: CONNECTIONS, duration, sampleInt: 50 })
  const cpu = (await server.cpuMicroseconds()) - before
  if (non2xx + errors > 0 || answered === 0)
    throw new Error(`${sent.url}: ${answered} answered, ${non2xx} refused, ${errors} failed`)
  return { perSecond: answered / took, cpuMicroseconds: cpu / answered }
}
