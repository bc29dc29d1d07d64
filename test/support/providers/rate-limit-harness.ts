import { randomUUID } from 'node:crypto'
import { createLog } from '../../../src/platform/logging/log.ts'
import { createProviderApi } from '../../../src/providers/http/create-provider-api.ts'
import type { ProviderApi } from '../../../src/providers/provider-api.ts'
import type { RateLimit, Priority } from '../../../src/providers/rate-limit/rate-limit.ts'
import { FallbackStore } from '../../../src/providers/rate-limit/fallback-store.ts'
import type {
  PermitRequest,
  LimiterStore,
  PermitWait,
} from '../../../src/providers/rate-limit/limiter-store.ts'
import { createMemoryStore } from '../../../src/providers/rate-limit/memory-store.ts'
import { createRateLimiter } from '../../../src/providers/rate-limit/rate-limiter.ts'
import type { Options } from '../../../src/providers/sandbox/simulator/options.ts'
import { type Simulator, startSimulator } from '../../../src/providers/sandbox/simulator/server.ts'
import { randomPrefix, redisUrl, removeKeys, withRedis } from '../queue/queue-harness.ts'

/** Request counts at the provider. */
export interface Counted {
  readonly all: number
  readonly accounts: Readonly<Record<string, number>>
  readonly refused: number
}

interface Asking {
  readonly budgets: readonly RateLimit[]
  readonly key?: string
  readonly priority?: Priority
  readonly signal?: AbortSignal
}

/**
 * A provider, and rate limiters of processes that call it. Records how often each request asks for a permit.
 */
export class RateLimitHarness {
  readonly asks: PermitRequest[] = []
  /** Result of each permit request: a wait, or null for a permit. */
  readonly results: (PermitWait | null)[] = []

  private constructor(
    private readonly simulator: Simulator,
    readonly stores: readonly LimiterStore[],
    private readonly remove: () => Promise<void>,
  ) {}

  static async start(
    stores: readonly LimiterStore[],
    options: Partial<Options> = {},
    remove = async () => {},
  ) {
    const simulator = await startSimulator({ controls: true, ratePerSecond: 100_000, ...options })
    return new RateLimitHarness(simulator, stores, remove)
  }

  private get url(): string {
    return `http://127.0.0.1:${this.simulator.port}`
  }

  /** Returns the provider API as a process with one of the limiters uses it. */
  api(
    process: number,
    { budgets: rateLimits, key = 'sandbox-3-1', priority = 'background', signal }: Asking,
  ): ProviderApi {
    const store = this.stores[process] as LimiterStore
    const noted: LimiterStore = {
      take: async (ask) => {
        this.asks.push(ask)
        const wait = await store.take(ask)
        this.results.push(wait)
        return wait
      },
      settle: (ask) => store.settle(ask),
      leave: (ask) => store.leave(ask),
      pause: (...pause) => store.pause(...pause),
      close: () => store.close(),
    }
    return createProviderApi({
      baseUrl: this.url,
      headers: { authorization: `Bearer ${key}` },
      signal: signal ?? new AbortController().signal,
      limiter: createRateLimiter(noted, { provider: 'sandbox', rateLimits, account: key, priority }),
    })
  }

  async fault(fault: object): Promise<void> {
    await fetch(`${this.url}/control/faults`, { method: 'POST', body: JSON.stringify(fault) })
  }

  async counted(): Promise<Counted> {
    return (await (await fetch(`${this.url}/control/budgets`)).json()) as Counted
  }

  /** Returns the total number of requests. */
  async requests(): Promise<number> {
    const answer = await fetch(`${this.url}/control/requests`)
    const byKey = (await answer.json()) as Record<string, Record<string, number>>
    return Object.values(byKey)
      .flatMap((byPath) => Object.values(byPath))
      .reduce((sum, count) => sum + count, 0)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const store of this.stores) await store.close()
    await this.simulator.close()
    await this.remove()
  }
}

export const silent = createLog('silent')

type CreateHarness = (options?: Partial<Options>) => Promise<RateLimitHarness>

const inOneProcess: CreateHarness = (options) => {
  const store = createMemoryStore()
  return RateLimitHarness.start([store, store], options)
}

const inTwoProcesses: CreateHarness = (options) => {
  const prefix = randomPrefix()
  const stores = [0, 1].map(() => new FallbackStore({ redisUrl, prefix, log: silent }))
  return RateLimitHarness.start(stores, options, () => removeKeys(`{${prefix}`))
}

/** Functions that start a harness with two clients: in one process, or in two processes that share Redis. */
export const harnessFactories: readonly (readonly [string, CreateHarness])[] = [
  ['in one process', inOneProcess],
  ...(withRedis ? [['in two processes on one Redis', inTwoProcesses] as const] : []),
]

export const someKey = (): string => `sandbox-3-${Number.parseInt(randomUUID().slice(0, 6), 16)}`

/** Yields until a condition holds. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 5))
}
