import { setTimeout as wait } from 'node:timers/promises'

/** Delay of each response, so that concurrent requests overlap. */
const RESPONSE_DELAY_MS = 5

/** Limits the requests of a caller that run at the same time. A test can hold them. */
export class Gate {
  private readonly running = new Map<string, number>()
  private heldUntil: Promise<void> | null = null
  private open: () => void = () => undefined

  hold(): void {
    this.heldUntil = new Promise((resolve) => (this.open = resolve))
  }

  release(): void {
    this.open()
    this.heldUntil = null
  }

  /** Answers a request; null if the caller exceeds the limit. */
  async through<Answered>(key: string, most: number, answer: () => Answered): Promise<Answered | null> {
    const before = this.running.get(key) ?? 0
    if (before >= most) return null
    this.running.set(key, before + 1)
    try {
      await (this.heldUntil ?? wait(RESPONSE_DELAY_MS))
      return answer()
    } finally {
      this.running.set(key, (this.running.get(key) ?? 1) - 1)
    }
  }
}
