import { drawsOf } from '../world/draws.ts'
import type { Answer } from './http.ts'

export interface Fault {
  /**
   * `status` refuses in the provider's format; `hang` never responds; `truncated` ends within the JSON; `cut`
   * breaks the connection there; `lost` acts and then breaks the connection; `repeated` sends the previous
   * response to the same query again, including its cursor, whichever page was requested; `slow` responds
   * late.
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

interface Seeded {
  readonly fault: Fault
  passes: number
  left: number
  seen: number
}

/** Requested faults in order: the first match of a call applies. */
export class Faults {
  private seeded: Seeded[] = []
  /** Last response to each query, for `repeated`. */
  readonly answered = new Map<string, Answer>()

  constructor(private readonly seed: number) {}

  add(fault: Fault): void {
    const left = fault.times === null ? Infinity : (fault.times ?? 1)
    this.seeded.push({ fault, passes: fault.after ?? 0, left, seen: 0 })
  }

  clear(): void {
    this.seeded = []
    this.answered.clear()
  }

  /** Number of faults without effect so far. */
  get waiting(): number {
    return this.seeded.filter(({ left }) => left > 0).length
  }

  take(endpoint: string, key: string): Fault | null {
    for (const seeded of this.seeded) {
      if (!fits(seeded.fault, endpoint, key) || seeded.left <= 0) continue
      if (seeded.passes-- > 0) continue
      const draw = drawsOf(this.seed, this.seeded.indexOf(seeded), seeded.seen++)
      if (draw() >= (seeded.fault.share ?? 1)) continue
      seeded.left--
      return seeded.fault
    }
    return null
  }
}

const fits = (fault: Fault, endpoint: string, key: string): boolean =>
  (fault.endpoint === undefined || fault.endpoint === endpoint) &&
  (fault.key === undefined || fault.key === key)
