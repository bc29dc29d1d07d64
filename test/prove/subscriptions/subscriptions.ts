import { fork } from 'node:child_process'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import type { Id } from '../../../src/domain/ids.ts'
import type { Database } from '../../../src/storage/database.ts'
import { appendEvents } from '../../../src/storage/outbox.ts'
import { cpuSeconds } from '../support/process-cpu.ts'
import { residentBytes } from '../support/process-memory.ts'
import { proof } from '../proof.ts'
import { makeHome, ServiceProcess } from '../support/service-process.ts'
import { programOf, Subscribers } from './subscribers.ts'

/**
 * Many subscriptions on one gateway, compared with a graphql-ws server that sends the same responses
 * prepared.
 */
export const subscriptions = proof(
  {
    name: 'subscriptions',
    description:
      'one gateway sends events to 10,000 subscriptions at half the speed of a bare graphql-ws server',
    options: {
      sockets: { preset: 10_000, short: 500, description: 'number of sockets' },
      'per-socket': { preset: 1, description: 'subscriptions on each socket' },
      events: { preset: 25, description: 'events in each round, sent to all' },
      rounds: { preset: 3, description: 'number of rounds; the best counts' },
      'least-ratio': {
        preset: 0.5,
        description: 'minimum speed of the gateway, relative to the bare server',
      },
    },
  },
  async ({ sockets, 'per-socket': perSocket, events, rounds, 'least-ratio': leastRatio }) => {
    const sizes = { sockets, perSocket, events, rounds }
    const problem = tooFewFiles(sockets)
    if (problem) return [problem]
    const home = await makeHome('sqlite')
    try {
      const ours = await ofOurs(home, sizes)
      const bare = await ofBare(sizes, ours.answer)
      return judge(ours, bare, leastRatio)
    } finally {
      await home.remove()
    }
  },
)

interface Sizes {
  readonly sockets: number
  readonly perSocket: number
  readonly events: number
  readonly rounds: number
}

interface Measured {
  readonly perSecond: number
  readonly perCpuSecond: number
  readonly bytesPerAnswer: number
  readonly bytesPerSubscription: number
}

type Home = Awaited<ReturnType<typeof makeHome>>

const CLIENT_PROCESSES = 2
/** Open files of a process in addition to its sockets. */
const OTHER_FILES = 200
const MAX_DURATION_MS = 180_000

/** Each process needs a file descriptor for each socket. */
function tooFewFiles(sockets: number): string | null {
  const limit = Number(execFileSync('sh', ['-c', 'ulimit -n'], { encoding: 'utf8' }).trim())
  const needed = sockets + OTHER_FILES
  if (!(limit < needed)) return null
  return `a process may open ${limit} files here, and the proof needs ${needed}: run \`ulimit -n ${needed}\` first, or use fewer with --sockets`
}

const QUERY = 'subscription { events(types: ["vehicle.modified"]) { id type timestamp detail } }'

async function ofOurs(home: Home, sizes: Sizes): Promise<Measured & { readonly answer: object }> {
  const limits = {
    SOCKETS_PER_APPLICATION: String(sizes.sockets + 1),
    OPERATIONS_PER_SOCKET: String(sizes.perSocket),
    SUBSCRIPTIONS_PER_APPLICATION: String(sizes.sockets * sizes.perSocket + 1),
  }
  await using service = await ServiceProcess.start(home, ['--fleet-size', '1'], limits)
  const { wsUrl: url, secretKey, connectionId } = service.ready
  const db = await home.open()
  try {
    const [row] = await db.rows<{ applicationId: string }>(
      'SELECT applicationId FROM connections WHERE id = ?',
      [connectionId],
    )
    const origin = { applicationId: String(row?.applicationId), connectionId }
    const measured = await measure('the gateway', sizes, {
      pid: service.child.pid,
      opening: { url, parameters: { authorization: `Bearer ${secretKey}` } },
      publish: (count) => publish(db, origin, count),
    })
    const { events } = await service.graphql<{ events: { nodes: object[] } }>(
      '{ events(first: 1, types: ["vehicle.modified"]) { nodes { id type timestamp detail } } }',
    )
    return { ...measured, answer: { data: { events: events.nodes[0] } } }
  } finally {
    await db.close()
  }
}

async function ofBare(sizes: Sizes, answer: object): Promise<Measured> {
  const server = fork(programOf('bare-server-program.js'))
  const [{ port }] = (await once(server, 'message')) as [{ port: number }]
  try {
    return await measure('a bare graphql-ws server', sizes, {
      pid: server.pid,
      opening: { url: `ws://127.0.0.1:${port}/graphql`, parameters: {} },
      publish: (count) =>
        Promise.resolve(void server.send({ publish: Array.from({ length: count }, () => answer) })),
    })
  } finally {
    const exited = once(server, 'exit')
    server.disconnect()
    await exited
  }
}

/** About 600 bytes, as a vehicle has. */
const DETAIL = {
  vehicle: { id: 'vcl_01J8ZQ4N5R8X2V6T3W1Y7K9M0P', name: 'A vehicle', notes: 'x'.repeat(500) },
}

function publish(
  db: Database,
  origin: { applicationId: Id<'application'>; connectionId: Id<'connection'> },
  count: number,
) {
  const reported = { type: 'vehicle.modified', subjectId: null, detail: DETAIL }
  return db.transaction((tx) =>
    appendEvents(
      tx,
      { ...origin, at: Date.now() },
      Array.from({ length: count }, () => reported),
    ),
  )
}

interface Subject {
  readonly pid: number | undefined
  readonly opening: { readonly url: string; readonly parameters: Readonly<Record<string, string>> }
  publish(count: number): Promise<void>
}

async function measure(name: string, sizes: Sizes, { pid, opening, publish }: Subject): Promise<Measured> {
  await using subscribers = new Subscribers(CLIENT_PROCESSES)
  const all = sizes.sockets * sizes.perSocket
  const before = residentBytes(pid)
  await subscribers.open({ ...opening, sockets: sizes.sockets, perSocket: sizes.perSocket, query: QUERY })
  await wait(2_000)
  const bytesPerSubscription = (residentBytes(pid) - before) / all
  await publish(1)
  await subscribers.received(1, MAX_DURATION_MS)
  const rounds: Measured[] = []
  for (let round = 0; round < sizes.rounds; round++) {
    await subscribers.settle()
    const [cpuBefore = 0] = cpuSeconds([pid])
    await publish(sizes.events)
    const { total, bytes, firstAt, lastAt } = await subscribers.received(sizes.events, MAX_DURATION_MS)
    const [cpuAfter = 0] = cpuSeconds([pid])
    rounds.push({
      perSecond: total / ((lastAt - firstAt) / 1000),
      perCpuSecond: total / (cpuAfter - cpuBefore),
      bytesPerAnswer: bytes / total,
      bytesPerSubscription,
    })
  }
  const [best] = rounds.toSorted((one, other) => other.perSecond - one.perSecond)
  if (!best) throw new Error('no round ran')
  console.log(
    `${name}: ${all} subscriptions on ${sizes.sockets} sockets, ${(bytesPerSubscription / 1024).toFixed(1)} KiB each; ` +
      `${Math.round(best.perSecond)} answers of ${Math.round(best.bytesPerAnswer)} bytes a second ` +
      `(${(best.perSecond / all).toFixed(1)} events/s to all), ${Math.round(best.perCpuSecond)} per second of its processor; ` +
      `rounds ${rounds.map(({ perSecond }) => Math.round(perSecond)).join(', ')}`,
  )
  return best
}

function judge(ours: Measured, bare: Measured, leastRatio: number): string[] {
  const ratio = ours.perSecond / bare.perSecond
  const cpuRatio = ours.perCpuSecond / bare.perCpuSecond
  console.log(
    `fan-out: ${ratio.toFixed(2)} of a bare server (goal ${leastRatio}); by CPU time ${cpuRatio.toFixed(2)}`,
  )
  const sameBytes = Math.abs(ours.bytesPerAnswer - bare.bytesPerAnswer) < 1
  return [
    ...(ratio >= leastRatio
      ? []
      : [`the fan-out is ${ratio.toFixed(2)} of a bare server, not ${leastRatio}`]),
    ...(sameBytes
      ? []
      : [`an answer has ${ours.bytesPerAnswer} bytes, of the bare server ${bare.bytesPerAnswer}`]),
  ]
}
