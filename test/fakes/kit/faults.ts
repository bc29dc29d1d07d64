import { drawsOf } from '../world/draws.ts'
import type { Answer } from './http.ts'

export interface Fault {
  /**
   * `status` refuses in the provider's words; `hang` never answers; `truncated` ends in the middle of the JSON; `cut`
   * breaks the connection there; `lost` acts and then breaks the connection; `repeated` gives the answer before this
   * one to the same question again, cursor and all, whichever page was asked for; `slow` answers late.
   */
  readonly kind: 'status' | 'hang' | 'truncated' | 'cut' | 'lost' | 'repeated' | 'slow'
  /** GET /api/devices; every endpoint without it. */
  readonly endpoint?: string
  /** Whose calls; everybody's without it. */
  readonly key?: string
  /** So many calls pass before it begins. */
  readonly after?: number
  /** How many calls it hits: one without it, null for all from now on. */
  readonly times?: number | null
  /** It hits this share of calls, 0 to 1. */
  readonly share?: number
  /** Of `status`: 401, 403 for a missing scope, 429, 500 and so on. */
  readonly status?: number
  /** Of `status`: beside the provider's own, or instead of them: retry-after as seconds, a fraction or a date. */
  readonly headers?: Readonly<Record<string, string>>
  /** Of `status`: instead of the provider's words. */
  readonly body?: unknown
  /** Of `slow`. */
  readonly milliseconds?: number
}

interface Seeded {
  readonly fault: Fault
  passes: number
  left: number
  seen: number
}

/** Those that were asked for, in order: the first that fits a call hits it. */
export class Faults {
  private seeded: Seeded[] = []
  /** What each question was answered last, to be answered again. */
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

  /** How many have not hit yet. */
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
