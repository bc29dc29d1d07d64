import type { Outcome } from './purchase-request.ts'

/** Time of a request besides its two deadlines, such as the wait for the database that knows its key. */
const SLACK_MS = 5000

/** Figures of the requests. */
export class Counts {
  attempts = 0
  retries = 0
  sentTwiceAtOnce = 0
  sentAgain = 0
  captures = 0
  givenUp = 0
  private readonly slowMs: number
  private readonly outcomes = new Map<string, number>()
  /** Name of the fault that lasts, or that was the last one. */
  fault = 'before the first fault'
  private readonly durations = new Map<string, { slow: number; slowestMs: number }>()

  constructor(deadlineMs: number) {
    this.slowMs = 2 * deadlineMs + SLACK_MS
  }

  /** Counts a request that began during a fault, or after it. */
  add(outcome: Outcome, milliseconds: number, fault: string): void {
    this.attempts++
    const kind = nameOf(outcome)
    this.outcomes.set(kind, (this.outcomes.get(kind) ?? 0) + 1)
    const { slow, slowestMs } = this.durations.get(fault) ?? { slow: 0, slowestMs: 0 }
    this.durations.set(fault, {
      slow: slow + (milliseconds > this.slowMs ? 1 : 0),
      slowestMs: Math.max(slowestMs, milliseconds),
    })
  }

  print(): void {
    const { attempts, retries, sentTwiceAtOnce, sentAgain, captures, givenUp } = this
    console.log(
      `\n${attempts} attempts, ${retries} of them retries; ${captures} captures; ` +
        `${sentTwiceAtOnce} keys sent twice at once, ${sentAgain} once more at the end, ${givenUp} given up until then`,
    )
    for (const [kind, count] of [...this.outcomes].toSorted())
      console.log(`  ${String(count).padStart(7)}  ${kind}`)
    console.log(
      `\nRequests that took longer than ${this.slowMs} ms, by the fault during or after which they began`,
    )
    for (const [fault, { slow, slowestMs }] of [...this.durations].toSorted())
      console.log(
        `  ${String(slow).padStart(7)}  ${fault}; the slowest took ${(slowestMs / 1000).toFixed(1)} s`,
      )
  }
}

function nameOf(outcome: Outcome): string {
  if (outcome.kind === 'refused') return `refused: ${outcome.code}`
  if (outcome.kind !== 'answered') return outcome.kind
  const { recorded, replayed, decision } = outcome
  if (!recorded) return 'answered: UNKNOWN, not recorded'
  return `answered: ${decision}, recorded${replayed ? ', replayed' : ''}`
}
