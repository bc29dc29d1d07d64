import type { Random } from '../../fuzz/random.ts'
import type { PartName } from '../support/distributed-service.ts'
import { type OwnServers, type ServerName, servers } from './own-servers.ts'
import type { Supervisor } from './supervisor.ts'

/** Processes and servers that faults act on. */
export interface Victims {
  readonly servers: OwnServers
  readonly supervisor: Supervisor
}

/** One fault: its action and its repair. */
export interface Fault {
  readonly name: string
  readonly of: string
  /** Duration of the fault. */
  readonly lastsMs: number
  strike(): Promise<void>
  repair(): Promise<void>
}

type Draw = (random: Random, victims: Victims) => Fault

const killed =
  (name: string, parts: readonly PartName[]): Draw =>
  (random, { supervisor }) => {
    const part = random.pick(parts)
    return {
      name,
      of: part,
      lastsMs: shortly(random),
      strike: async () => supervisor.kill(part),
      repair: async () => supervisor.letGo(part),
    }
  }

/** Draws a duration, from unnoticeable to longer than a request waits. */
const shortly = (random: Random): number => 500 + random.below(3000)
const PROVIDER_TIMEOUT_MS = 20_000
const LONG_MS = 9000

/** Every kind of fault. */
export const faults: readonly Draw[] = [
  killed('worker killed', ['worker-1', 'worker-2']),
  killed('gateway killed', ['gateway']),
  killed('subgraph killed', [
    'subgraph:connections',
    'subgraph:fleet',
    'subgraph:records',
    'subgraph:telemetry',
    'subgraph:events',
    'subgraph:purchases',
  ]),
  (random, { servers: { redis } }) => ({
    name: 'Redis killed, restarts empty',
    of: 'redis',
    lastsMs: shortly(random),
    async strike() {
      await redis.kill()
      await redis.wipe()
    },
    repair: () => redis.start(),
  }),
  (random, { servers: { mariadb } }) => ({
    name: 'MariaDB killed',
    of: 'database',
    lastsMs: shortly(random),
    strike: () => mariadb.end('SIGKILL'),
    repair: () => mariadb.start(),
  }),
  (random, { servers: { sandbox } }) => ({
    name: 'provider frozen',
    of: 'provider',
    lastsMs: random.chance(0.15) ? PROVIDER_TIMEOUT_MS + 2000 : shortly(random),
    async strike() {
      sandbox.freeze()
    },
    async repair() {
      sandbox.thaw()
    },
  }),
  (random, { servers: { proxies } }) => {
    const of: ServerName = random.pick(servers)
    return {
      name: 'network stalls',
      of,
      lastsMs: random.chance(0.15) ? LONG_MS : shortly(random),
      async strike() {
        proxies[of].freeze()
      },
      async repair() {
        proxies[of].thaw()
      },
    }
  },
]
