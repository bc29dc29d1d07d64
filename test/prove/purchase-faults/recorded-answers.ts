import type { Findings } from './findings.ts'
import type { SentPurchase } from './purchase-request.ts'

interface RecordedAnswer {
  readonly id: string
  readonly decision: string
}

/** The recorded answer to each key. A later answer must be the same check, as a replay. */
export class RecordedAnswers {
  private readonly byKey = new Map<string, RecordedAnswer & { isMade: boolean }>()

  constructor(private readonly findings: Findings) {}

  get size(): number {
    return this.byKey.size
  }

  of = (key: string): RecordedAnswer | undefined => this.byKey.get(key)

  entries = (): Iterable<readonly [string, RecordedAnswer]> => this.byKey

  add({ key }: SentPurchase, answer: RecordedAnswer & { readonly replayed: boolean }): void {
    const { id, decision, replayed } = answer
    const known = this.byKey.get(key) ?? { id, decision, isMade: false }
    this.byKey.set(key, known)
    if (known.id !== id || known.decision !== decision)
      this.findings.add('differs', `${key}: ${known.id} ${known.decision}, then ${id} ${decision}`)
    // A single request makes the check. All others replay it.
    else if (!replayed && known.isMade) this.findings.add('differs', `${key}: ${id} was made twice`)
    if (!replayed) known.isMade = true
  }
}
