import { drawsOf } from '../world/draws.ts'
import type { Answer } from './http.ts'

export interface Fault {
  /**
   * - `status`: an error response in the provider's format.
   * - `hang`: no response.
   * - `slow`: a late response.
   * - `truncated`: a regular response with half of the body.
   * - `cut`: half of the body, then the connection breaks.
   * - `lost`: the call has its effect, but the connection breaks before the response.
   * - `repeated`: the last response to the same query again, with its cursor, whatever page is requested.
   */
  readonly kind: 'status' | 'hang' | 'truncated' | 'cut' | 'lost' | 'repeated' | 'slow'
  /** Endpoint, such as GET /api/devices; every endpoint by default. */
  readonly endpoint?: string
  /** Key of the caller; every caller by default. */
  readonly key?: string
  /** Number of calls before the fault starts. */
  readonly after?: number
  /** Number of affected calls: one by default, null for all from then on. */
  readonly times?: number | null
  /** Probability that a call is affected, 0 to 1. */
  readonly share?: number
  /** For `status`: 401, 403 for a missing scope, 429, 500 and so on. */
  readonly status?: number
  /**
   * For `status`: headers that extend or replace the provider's, such as retry-after in seconds, as a
   * fraction or as a date.
   */
  readonly headers?: Readonly<Record<string, string>>
  /** For `status`: body that replaces the provider's. */
  readonly body?: unknown
  /** For `slow`: the delay. */
  readonly milliseconds?: number
}

interface FaultProgress {
  readonly fault: Fault
  callsToSkip: number
  callsToAffect: number
  /** Number of calls for which a random number has decided. */
  draws: number
}

/** Requested faults in order. The first one that matches a call affects it. */
export class Faults {
  private progress: FaultProgress[] = []
  /** Last response to each query, for `repeated`. */
  readonly lastAnswers = new Map<string, Answer>()

  constructor(private readonly seed: number) {}

  add(fault: Fault): void {
    const callsToAffect = fault.times === null ? Infinity : (fault.times ?? 1)
    this.progress.push({ fault, callsToSkip: fault.after ?? 0, callsToAffect, draws: 0 })
  }

  clear(): void {
    this.progress = []
    this.lastAnswers.clear()
  }

  /** Number of faults that can still affect calls. */
  get waiting(): number {
    return this.progress.filter(({ callsToAffect }) => callsToAffect > 0).length
  }

  /** Returns the fault that affects a call, or null, and counts the call. */
  take(endpoint: string, key: string): Fault | null {
    for (const entry of this.progress) {
      if (!fits(entry.fault, endpoint, key) || entry.callsToAffect <= 0) continue
      if (entry.callsToSkip-- > 0) continue
      const draw = drawsOf(this.seed, this.progress.indexOf(entry), entry.draws++)
      if (draw() >= (entry.fault.share ?? 1)) continue
      entry.callsToAffect--
      return entry.fault
    }
    return null
  }
}

const fits = (fault: Fault, endpoint: string, key: string): boolean =>
  (fault.endpoint === undefined || fault.endpoint === endpoint) &&
  (fault.key === undefined || fault.key === key)
