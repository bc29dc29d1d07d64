import { setTimeout as wait } from 'node:timers/promises'

/** Delay of a response in ms, so that concurrent requests overlap. */
const MOMENT = 5

/** Concurrency limit of each caller. A test can hold requests in it. */
export class Gate {
  private readonly inside = new Map<string, number>()
  private opening: Promise<void> | null = null
  private open: () => void = () => undefined

  hold(): void {
    this.opening = new Promise((resolve) => (this.open = resolve))
  }

  release(): void {
    this.open()
    this.opening = null
  }

  /** Returns null for a request above the limit. */
  async through<Answered>(key: string, most: number, answer: () => Answered): Promise<Answered | null> {
    const before = this.inside.get(key) ?? 0
    if (before >= most) return null
    this.inside.set(key, before + 1)
    try {
      await (this.opening ?? wait(MOMENT))
      return answer()
    } finally {
      this.inside.set(key, (this.inside.get(key) ?? 1) - 1)
    }
  }
}
