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

/** What the provider counted. */
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

/** A provider, and ledgers of processes that ask it, with a note of how often each request asked for its turn. */
export class RateLimitHarness {
  readonly asks: PermitRequest[] = []
  /** What each was told: its wait, or that it has its turn. */
  readonly told: (PermitWait | null)[] = []

  private constructor(
    private readonly simulator: Simulator,
    readonly ledgers: readonly LimiterStore[],
    private readonly remove: () => Promise<void>,
  ) {}

  static async start(
    ledgers: readonly LimiterStore[],
    options: Partial<Options> = {},
    remove = async () => {},
  ) {
    const simulator = await startSimulator({ controls: true, ratePerSecond: 100_000, ...options })
    return new RateLimitHarness(simulator, ledgers, remove)
  }

  private get url(): string {
    return `http://127.0.0.1:${this.simulator.port}`
  }

  /** The provider's API, as the process of a ledger asks it. */
  api(
    process: number,
    { budgets: rateLimits, key = 'sandbox-3-1', priority = 'background', signal }: Asking,
  ): ProviderApi {
    const ledger = this.ledgers[process] as LimiterStore
    const noted: LimiterStore = {
      take: async (ask) => {
        this.asks.push(ask)
        const wait = await ledger.take(ask)
        this.told.push(wait)
        return wait
      },
      settle: (ask) => ledger.settle(ask),
      leave: (ask) => ledger.leave(ask),
      pause: (...pause) => ledger.pause(...pause),
      close: () => ledger.close(),
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

  /** How many requests came in all. */
  async requests(): Promise<number> {
    const answer = await fetch(`${this.url}/control/requests`)
    const byKey = (await answer.json()) as Record<string, Record<string, number>>
    return Object.values(byKey)
      .flatMap((byPath) => Object.values(byPath))
      .reduce((sum, count) => sum + count, 0)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const ledger of this.ledgers) await ledger.close()
    await this.simulator.close()
    await this.remove()
  }
}

export const silent = createLog('silent')

type CreateHarness = (options?: Partial<Options>) => Promise<RateLimitHarness>

const inOneProcess: CreateHarness = (options) => {
  const ledger = createMemoryStore()
  return RateLimitHarness.start([ledger, ledger], options)
}

const inTwoProcesses: CreateHarness = (options) => {
  const prefix = randomPrefix()
  const ledgers = [0, 1].map(() => new FallbackStore({ redisUrl, prefix, log: silent }))
  return RateLimitHarness.start(ledgers, options, () => removeKeys(`{${prefix}`))
}

/** Where budgets are kept; the two askers of a test are in one process or in two. */
export const kept: readonly (readonly [string, CreateHarness])[] = [
  ['in one process', inOneProcess],
  ...(withRedis ? [['in two processes on one Redis', inTwoProcesses] as const] : []),
]

export const someKey = (): string => `sandbox-3-${Number.parseInt(randomUUID().slice(0, 6), 16)}`

/** Lets what is under way come as far as it comes by itself. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 5))
}
