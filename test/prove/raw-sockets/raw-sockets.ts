import { readdirSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { Random } from '../../fuzz/random.ts'
import { type Size, startSize, storeOf } from '../../support/deployment-sizes.ts'
import { DistributedService } from '../support/distributed-service.ts'
import { proof } from '../proof.ts'
import { makeHome, type RunningService, ServiceProcess } from '../support/service-process.ts'
import { endings, sendRaw } from './raw-connection.ts'
import { rawRequest } from './raw-requests.ts'

export const rawSockets = proof(
  {
    name: 'raw-sockets',
    description:
      'mutated requests without a key, upgrades and resets at any byte: no process exits or leaks a descriptor',
    options: {
      requests: { preset: 100_000, short: 2000, description: 'requests at each size' },
      'at-once': { preset: 100, description: 'connections at once' },
      seed: { preset: 1, description: 'the same seed sends the same requests' },
    },
    choices: {
      size: {
        preset: 'both',
        among: ['embedded', 'distributed', 'both'],
        description: 'deployment size of the service',
      },
    },
  },
  async ({ requests, 'at-once': atOnce, seed, size }) => {
    const failures: string[] = []
    for (const one of size === 'both' ? (['embedded', 'distributed'] as const) : [size as Size])
      failures.push(...(await proveSize(one, { requests, atOnce, seed })))
    return failures
  },
)

interface Run {
  readonly requests: number
  readonly atOnce: number
  readonly seed: number
}

/** Settings without background work, so that only requests open descriptors. */
const QUIET = {
  LOCATION_POLL_SECONDS: '86400',
  SYNC_INTERVAL_MINUTES: '10080',
  LOG_LEVEL: 'error',
  METRICS: 'on',
}
const PROGRESS_EVERY = 10_000
/** Allowed growth of the service's pools. */
const MAX_MORE_DESCRIPTORS = 20
const MAX_SETTLE_MS = 60_000

interface Target {
  readonly name: string
  readonly address: URL
  readonly service: ServiceProcess
}

async function proveSize(size: Size, run: Run): Promise<string[]> {
  const home = await makeHome(storeOf(size))
  const service = await startSize(size, home, ['--fleet-size', '3'], QUIET)
  try {
    const targets = targetsOf(service)
    const before = targets.map(descriptorsOf)
    const { statuses, failures } = await sendAll(size, targets, run)
    const died = targets.filter(
      ({ service: { child } }) => child.exitCode !== null || child.signalCode !== null,
    )
    failures.push(...died.map(({ name }) => `${size}: ${name} has ended`))
    if (died.length === 0) failures.push(...(await descriptorFailures(size, targets, before)))
    const fatal = service.output().match(/^.*"level":60.*$/gm) ?? []
    failures.push(...fatal.map((line) => `${size}: fatal: ${line.slice(0, 500)}`))
    const counts = [...statuses].toSorted(([one], [other]) => one.localeCompare(other))
    process.stdout.write(
      `${size}: ${run.requests} requests to ${targets.length} processes, ${JSON.stringify(Object.fromEntries(counts))}\n`,
    )
    failures.push(...(await endFailures(size, service)))
    return failures
  } finally {
    await service.end('SIGKILL')
    await home.remove()
  }
}

/** Returns failures at the end: an open connection would keep its process alive. */
async function endFailures(size: Size, service: RunningService): Promise<string[]> {
  const code = await Promise.race([service.end(), wait(MAX_SETTLE_MS, 'not at all', { ref: false })])
  return code === 0 ? [] : [`${size}: SIGTERM ends it with ${code}`]
}

function targetsOf(service: RunningService): Target[] {
  if (service instanceof DistributedService)
    return [...service.parts.values()].map(({ name, address, process: of }) => ({
      name,
      address: new URL(address),
      service: of,
    }))
  if (!(service instanceof ServiceProcess)) throw new Error('unsupported deployment size')
  return [{ name: 'service', address: new URL(service.ready.url), service }]
}

async function sendAll(size: Size, targets: readonly Target[], { requests, atOnce, seed }: Run) {
  const statuses = new Map<string, number>()
  const failures: string[] = []
  let sent = 0
  const sender = async () => {
    while (sent < requests) {
      const number = (sent += 1)
      const random = new Random(seed * 1_000_003 + number)
      // Half of the requests go to the gateway: it is the public part.
      const { name, address } = random.chance(0.5) ? targets[0]! : random.pick(targets)
      const bytes = rawRequest(random)
      const answer = await sendRaw(address, bytes, random.pick(endings), random)
      const status = /^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 'none'
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      if (status.startsWith('5'))
        failures.push(
          `${size}: ${name} responded ${status} to ${JSON.stringify(String(bytes).slice(0, 500))}`,
        )
      if (number % PROGRESS_EVERY === 0) process.stdout.write(`${size}: ${number} sent\n`)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, sender))
  return { statuses, failures: failures.slice(0, 20) }
}

const descriptorsOf = ({ service: { child } }: Target): number => readdirSync(`/proc/${child.pid}/fd`).length

/** Waits for the timeouts of the service, which close connections that a client left open. */
async function descriptorFailures(
  size: Size,
  targets: readonly Target[],
  before: readonly number[],
): Promise<string[]> {
  const more = () => targets.map((target, at) => descriptorsOf(target) - before[at]!)
  const until = Date.now() + MAX_SETTLE_MS
  while (more().some((count) => count > MAX_MORE_DESCRIPTORS) && Date.now() < until) await wait(500)
  const left = more()
  process.stdout.write(`${size}: descriptors more than before: ${left.join(', ')}\n`)
  return targets.flatMap(({ name }, at) =>
    left[at]! > MAX_MORE_DESCRIPTORS ? [`${size}: ${name} has ${left[at]} descriptors more than before`] : [],
  )
}
