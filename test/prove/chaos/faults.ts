import type { Random } from '../../fuzz/random.ts'
import type { OwnServers, ServerName } from './own-servers.ts'
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
  /** Ends the fault. Returns what does not hold afterwards. */
  repair(): Promise<string | void>
}

/** Draws a fault of one kind. */
export type Draw<On = Victims> = (random: Random, victims: On) => Fault

/** Kills one of some parts. */
export const killed =
  (name: string, parts: readonly string[]): Draw =>
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

/** Suspends one of some parts, for longer than leases and time limits last. */
export const paused =
  (parts: readonly string[]): Draw =>
  (random, { supervisor }) => {
    const part = random.pick(parts)
    return {
      name: 'process paused',
      of: part,
      lastsMs: 1000 + random.below(14_000),
      strike: async () => void supervisor.pause(part),
      repair: async () => void supervisor.resume(part),
    }
  }

/** Draws a duration, from unnoticeable to longer than a request waits. */
const shortly = (random: Random): number => 500 + random.below(3000)
/** Draws a duration around the deadlines of requests. */
const briefly = (random: Random): number => 100 + random.below(1900)
const PROVIDER_TIMEOUT_MS = 20_000
const LONG_MS = 9000

export const redisKilled: Draw = (random, { servers: { redis } }) => ({
  name: 'Redis killed, restarts empty',
  of: 'redis',
  lastsMs: shortly(random),
  async strike() {
    await redis.kill()
    await redis.wipe()
  },
  repair: () => redis.start(),
})

export const mariadbKilled: Draw = (random, { servers: { mariadb } }) => ({
  name: 'MariaDB killed',
  of: 'database',
  lastsMs: shortly(random),
  strike: () => mariadb.end('SIGKILL'),
  repair: () => mariadb.start(),
})

export const mariadbHangs: Draw = (random, { servers: { mariadb } }) => ({
  name: 'MariaDB hangs',
  of: 'database',
  lastsMs: briefly(random),
  strike: async () => void mariadb.freeze(),
  repair: async () => void mariadb.thaw(),
})

export const providerFrozen: Draw = (random, { servers: { sandbox } }) => ({
  name: 'provider frozen',
  of: 'provider',
  lastsMs: random.chance(0.15) ? PROVIDER_TIMEOUT_MS + 2000 : shortly(random),
  strike: async () => void sandbox.freeze(),
  repair: async () => void sandbox.thaw(),
})

export const networkStalls =
  (among: readonly ServerName[]): Draw =>
  (random, { servers: { proxies } }) => {
    const of = random.pick(among)
    return {
      name: 'network stalls',
      of,
      lastsMs: random.chance(0.15) ? LONG_MS : shortly(random),
      strike: async () => proxies[of].freeze(),
      repair: async () => proxies[of].thaw(),
    }
  }
