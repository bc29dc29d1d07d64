import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { ProviderError } from '../api.ts'
import { type Asked, type Budget, countersOf, digestOf, type Priority } from './budget.ts'
import type { Ask, Ledger } from './ledger.ts'

/** The turns of one account's requests. */
export interface Turns {
  /** Waits for the turn of a request, and gives what is to be called when it has been answered, or never will be. */
  take(request: Asked, signal: AbortSignal): Promise<() => void>
  /** Stops all processes from asking for this account, for so long. */
  pause(ms: number): Promise<void>
}

interface Asking {
  readonly provider: string
  readonly budgets: readonly Budget[]
  /** Whatever tells this account from others at the provider. */
  readonly account: string
  readonly priority: Priority
  /** What the provider counts a request as, where its path does not tell. */
  endpointOf?(request: Asked): string
}

/** Its asker's time was over before the turn of a request came: the provider was not asked. */
export class StillInLine extends Error {
  override readonly name = 'AbortError'
}

/** Gives an adapter the turns of an account. */
export type TurnsOf = (asking: Asking) => Turns

/** The longest a request waits in line: a caller has its deadline, and a job has time. */
const LONGEST_LINE_MS: Readonly<Record<Priority, number>> = { live: 10_000, background: 300_000 }
/** A pause that is longer than this is the job's to keep, not the request's. */
const LONGEST_PAUSE_WAIT_MS = 15_000
/** Whatever a provider says: nobody would notice that it has stopped saying so. */
const LONGEST_PAUSE_MS = 900_000

/** Has every request of an account wait for its turn in the budgets that it is counted in. */
export function turnsIn(
  ledger: Ledger,
  { provider, budgets, account, priority, endpointOf = named }: Asking,
): Turns {
  const digest = digestOf(account)
  const askOf = (request: Asked): Ask => ({
    id: randomUUID(),
    provider,
    account: digest,
    live: priority === 'live',
    counters: countersOf(budgets, digest, endpointOf(request)),
  })
  return {
    async take(request, signal) {
      const ask = askOf(request)
      try {
        await waitInLine(ledger, ask, LONGEST_LINE_MS[priority], signal)
      } catch (error) {
        ledger.leave(ask)
        throw error
      }
      return () => ledger.settle(ask)
    },
    pause: (ms) => ledger.pause(provider, digest, Math.min(Math.max(ms, 1), LONGEST_PAUSE_MS)),
  }
}

const named = ({ method, path }: Asked): string => `${method} ${path}`

/** Sleeps as long as it is told to, again where others were served first. */
async function waitInLine(ledger: Ledger, ask: Ask, longestMs: number, signal: AbortSignal): Promise<void> {
  const begun = performance.now()
  for (;;) {
    if (signal.aborted) throw stillInLine(signal)
    const told = await ledger.take(ask)
    if (!told) return
    const { waitMs, paused } = told
    const leftMs = longestMs - (performance.now() - begun)
    if (waitMs > leftMs || (paused && waitMs > LONGEST_PAUSE_WAIT_MS)) throw limited(waitMs, paused)
    await wait(waitMs, undefined, { signal }).catch(() => Promise.reject(stillInLine(signal)))
  }
}

const stillInLine = ({ reason }: AbortSignal): StillInLine =>
  new StillInLine("the time was over before the request's turn came", { cause: reason })

const limited = (retryAfterMs: number, paused: boolean): ProviderError =>
  new ProviderError(
    'limited',
    paused ? 'the provider asked for a pause' : "the provider's budget of requests is used up",
    { retryAfterMs },
  )

/** Where nothing is limited. */
export const noTurns: Turns = { take: async () => () => undefined, pause: async () => undefined }
